#pragma once

#include <condition_variable>
#include <iosfwd>
#include <mutex>
#include <thread>

#include "merganser/session/session.h"

namespace merganser {

/// Draws how far the session's running statement is, from two seconds on, until it goes. Erases
/// itself.
class ProgressBar {
 public:
  ProgressBar(const Session& session, std::ostream& out);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void Draw();

  const Session& session_;
  std::ostream& out_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;  ///< Guarded by mutex_.
  std::thread thread_;
};

}  // namespace merganser
