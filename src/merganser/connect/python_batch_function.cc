#include "merganser/connect/python_batch_function.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "merganser/base/json.h"

extern char** environ;

namespace merganser::connect {
namespace {

// Where the process writes its answers; its standard output belongs to the user's function.
constexpr int kAnswerDescriptor = 3;

// The process: one line of JSON a request and an answer. The function's own output goes to the
// server's error stream.
constexpr const char* kLauncher = R"python(
import json, os, pickle, sys, traceback

answers = os.fdopen(3, "w", buffering=1)
requests = os.fdopen(os.dup(0), "r")
os.dup2(2, 1)


def answer(**values):
    answers.write(json.dumps(values) + "\n")
    answers.flush()


try:
    start = json.loads(requests.readline())
    version = "%d.%d" % sys.version_info[:2]
    if start["python_version"] and start["python_version"] != version:
        raise RuntimeError("the client runs Python %s, and foreachBatch would run Python %s: start the server "
                           "with --python" % (start["python_version"], version))
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    os.environ.pop("SPARK_REMOTE", None)
    if ";user_id=" not in start["url"]:
        # The session has no user; the client would take the process's.
        os.environ.pop("USER", None)
        os.environ.pop("SPARK_USER", None)
    sys.path[:0] = start["path"]
    # PySpark takes a main module without a file for a run of its own doctests.
    __file__ = "foreachBatch"
    from pyspark.sql.connect.session import SparkSession
    spark = SparkSession.builder.remote(start["url"]).getOrCreate()
    function = pickle.loads(bytes.fromhex(start["function"]))
    if isinstance(function, tuple):
        function = function[0]
    answer(ok=True)
    for line in requests:
        batch = json.loads(line)
        try:
            function(spark._create_remote_dataframe(batch["frame"]), batch["id"])
            answer(ok=True)
        except BaseException:
            answer(error=traceback.format_exc())
except BaseException:
    answer(error=traceback.format_exc())
os._exit(0)
)python";

Error PythonFailed(const std::string& message, const std::string& traceback = {}) {
  return Error(ErrorClass::PYTHON_EXCEPTION, {{"msg", message}, {"traceback", traceback}});
}

std::string ProgramOf(const PythonEnvironment& environment) {
  if (!environment.python.empty()) return environment.python;
  const char* configured = std::getenv("PYSPARK_PYTHON");
  return configured == nullptr || *configured == '\0' ? "python3" : configured;
}

std::string Hex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return text;
}

}  // namespace

/// Uploaded modules in a folder of their own, which goes with this object.
class PythonBatchFunction::Modules {
 public:
  static Result<std::unique_ptr<Modules>> Unpack(
      const std::vector<std::pair<std::string, std::string>>& files) {
    auto modules = std::make_unique<Modules>();
    if (files.empty()) return modules;
    std::error_code failed;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    std::string folder = parent / "merganser-modules-XXXXXX";
    if (failed || ::mkdtemp(folder.data()) == nullptr)
      return PythonFailed("cannot make a folder for modules");
    modules->folder_ = folder;
    modules->path_ = {folder};
    for (const auto& [name, content] : files) {
      // The name is the client's: only its last part counts.
      const std::string base = std::filesystem::path(name).filename();
      const std::filesystem::path path = std::filesystem::path(folder) / base;
      std::ofstream out(path, std::ios::binary);
      out << content;
      out.close();
      if (!out) return PythonFailed("cannot write the module " + base);
      if (!base.ends_with(".py")) modules->path_.push_back(path);
    }
    return modules;
  }
  ~Modules() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  /// Where Python has to look for them.
  const std::vector<std::string>& path() const { return path_; }

 private:
  std::string folder_;
  std::vector<std::string> path_;
};

PythonBatchFunction::PythonBatchFunction(int process, int requests, int replies,
                                         std::unique_ptr<Modules> modules)
    : process_(process), requests_(requests), replies_(replies), modules_(std::move(modules)) {}

Result<std::unique_ptr<PythonBatchFunction>> PythonBatchFunction::Start(
    const PythonEnvironment& environment, const Definition& definition) {
  // Before the process starts, which has to be ended wherever this function fails.
  MERGANSER_ASSIGN_OR_RETURN(auto modules, Modules::Unpack(definition.modules));
  std::array<int, 2> requests{};
  std::array<int, 2> answers{};
  if (::pipe2(requests.data(), O_CLOEXEC) != 0) return PythonFailed(std::strerror(errno));
  if (::pipe2(answers.data(), O_CLOEXEC) != 0) {
    ::close(requests[0]);
    ::close(requests[1]);
    return PythonFailed(std::strerror(errno));
  }
  // Above the numbers that the process is to find them under.
  const int request_end = ::fcntl(requests[0], F_DUPFD_CLOEXEC, 10);
  const int answer_end = ::fcntl(answers[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, request_end, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, answer_end, kAnswerDescriptor);
  // The server blocks signals that must end this process.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

  std::string program = ProgramOf(environment);
  std::string option = "-c";
  std::string launcher = kLauncher;
  std::array<char*, 4> arguments = {program.data(), option.data(), launcher.data(), nullptr};
  pid_t process = 0;
  const int failed =
      ::posix_spawnp(&process, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  for (const int end : {request_end, answer_end, requests[0], answers[1]}) ::close(end);
  if (failed != 0) {
    ::close(requests[1]);
    ::close(answers[0]);
    return PythonFailed("cannot start " + program + ": " + std::strerror(failed));
  }
  Json path = Json::MakeArray();
  for (const std::string& entry : modules->path()) path.Append(entry);
  auto function = std::unique_ptr<PythonBatchFunction>(
      new PythonBatchFunction(process, requests[1], answers[0], std::move(modules)));
  Json start = Json::MakeObject();
  start.Set("url", definition.url)
      .Set("python_version", definition.python_version)
      .Set("path", path)
      .Set("function", Hex(definition.pickled));
  MERGANSER_RETURN_IF_ERROR(function->Send(start.Dump()));
  MERGANSER_RETURN_IF_ERROR(function->Receive());
  return function;
}

PythonBatchFunction::~PythonBatchFunction() {
  ::close(requests_);
  End();
  ::close(replies_);
}

void PythonBatchFunction::Kill() {
  const std::lock_guard lock(mutex_);
  if (!ended_) ::kill(process_, SIGKILL);
}

void PythonBatchFunction::End() {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  ended_ = true;
}

Status PythonBatchFunction::Run(const std::string& frame_id, int64_t batch_id) {
  Json batch = Json::MakeObject();
  batch.Set("frame", frame_id).Set("id", batch_id);
  MERGANSER_RETURN_IF_ERROR(Send(batch.Dump()));
  MERGANSER_RETURN_IF_ERROR(Receive());
  return Status::Ok();
}

Status PythonBatchFunction::Send(const std::string& line) {
  const std::string text = line + "\n";
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(requests_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return PythonFailed("the Python process is gone");
    sent += static_cast<size_t>(count);
  }
  return Status::Ok();
}

Result<std::string> PythonBatchFunction::Receive() {
  size_t end = 0;
  while ((end = received_.find('\n')) == std::string::npos) {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(replies_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return PythonFailed("the Python process ended");
    received_.append(buffer.data(), static_cast<size_t>(count));
  }
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  MERGANSER_ASSIGN_OR_RETURN(const Json answer, Json::Parse(line));
  if (const Json* error = answer.find("error")) {
    return PythonFailed("The function given to foreachBatch failed:",
                        error->is_string() ? error->as_string() : "");
  }
  return line;
}

}  // namespace merganser::connect
