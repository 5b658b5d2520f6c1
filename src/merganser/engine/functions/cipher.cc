#include "merganser/engine/functions/cipher.h"

#include <cctype>
#include <memory>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "merganser/base/letter_case.h"

namespace merganser::engine {
namespace {

constexpr size_t kTagSize = 16;
constexpr const char* kFunctions = "`aes_encrypt`/`aes_decrypt`";

enum class Mode : uint8_t { kGcm, kCbc, kEcb };

struct Algorithm {
  Mode mode;
  const EVP_CIPHER* cipher;
  size_t iv_size;
};

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

Error Unsupported(const char* sub_class, std::string_view mode, std::string_view padding = {}) {
  Error::Parameters parameters = {{"mode", std::string(mode)}, {"functionName", kFunctions}};
  if (!padding.empty()) parameters["padding"] = std::string(padding);
  return Error(ErrorClass::UNSUPPORTED_FEATURE, std::move(parameters), sub_class);
}

Error CryptoError(std::string detail) {
  return Error(ErrorClass::INVALID_PARAMETER_VALUE,
               {{"parameter", "`expr`, `key`"},
                {"functionName", kFunctions},
                {"detailMessage", std::move(detail)}},
               "AES_CRYPTO_ERROR");
}

Result<Algorithm> Choose(std::string_view key, std::string_view mode_text,
                         std::string_view padding_text) {
  const std::string mode = AsciiUpperCase(mode_text);
  const std::string padding = AsciiUpperCase(padding_text);
  const bool no_padding = padding == "NONE" || padding == "DEFAULT";
  const bool pkcs = padding == "PKCS" || padding == "DEFAULT";
  size_t index = 0;
  switch (key.size()) {
    case 16:
      index = 0;
      break;
    case 24:
      index = 1;
      break;
    case 32:
      index = 2;
      break;
    default:
      return Error(ErrorClass::INVALID_PARAMETER_VALUE,
                   {{"parameter", "`key`"},
                    {"functionName", kFunctions},
                    {"actualLength", std::to_string(key.size())}},
                   "AES_KEY_LENGTH");
  }
  if (mode == "GCM" && no_padding) {
    const EVP_CIPHER* ciphers[] = {EVP_aes_128_gcm(), EVP_aes_192_gcm(), EVP_aes_256_gcm()};
    return Algorithm{Mode::kGcm, ciphers[index], 12};
  }
  if (mode == "CBC" && pkcs) {
    const EVP_CIPHER* ciphers[] = {EVP_aes_128_cbc(), EVP_aes_192_cbc(), EVP_aes_256_cbc()};
    return Algorithm{Mode::kCbc, ciphers[index], 16};
  }
  if (mode == "ECB" && pkcs) {
    const EVP_CIPHER* ciphers[] = {EVP_aes_128_ecb(), EVP_aes_192_ecb(), EVP_aes_256_ecb()};
    return Algorithm{Mode::kEcb, ciphers[index], 0};
  }
  return Unsupported("AES_MODE", mode_text, padding_text);
}

const unsigned char* Unsigned(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Unsigned(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

Result<std::string> AesEncrypt(std::string_view input, std::string_view key, std::string_view mode,
                               std::string_view padding, std::string_view iv,
                               std::string_view aad) {
  MERGANSER_ASSIGN_OR_RETURN(const Algorithm algorithm, Choose(key, mode, padding));
  if (!iv.empty() && algorithm.iv_size == 0) return Unsupported("AES_MODE_IV", mode);
  if (!aad.empty() && algorithm.mode != Mode::kGcm) return Unsupported("AES_MODE_AAD", mode);
  if (!iv.empty() && iv.size() != algorithm.iv_size) {
    return Error(ErrorClass::INVALID_PARAMETER_VALUE,
                 {{"mode", std::string(mode)},
                  {"parameter", "`iv`"},
                  {"functionName", kFunctions},
                  {"actualLength", std::to_string(iv.size())}},
                 "AES_IV_LENGTH");
  }
  std::string out(iv);
  if (iv.empty()) {
    out.resize(algorithm.iv_size);
    if (algorithm.iv_size > 0 &&
        RAND_bytes(Unsigned(out), static_cast<int>(algorithm.iv_size)) != 1)
      return CryptoError("no random bytes");
  }
  const Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  std::string sealed(input.size() + 32, '\0');
  int size = 0;
  int rest = 0;
  bool ok = EVP_EncryptInit_ex(context.get(), algorithm.cipher, nullptr, Unsigned(key),
                               Unsigned(std::string_view(out))) == 1;
  if (!aad.empty())
    ok = ok && EVP_EncryptUpdate(context.get(), nullptr, &size, Unsigned(aad),
                                 static_cast<int>(aad.size())) == 1;
  ok = ok &&
       EVP_EncryptUpdate(context.get(), Unsigned(sealed), &size, Unsigned(input),
                         static_cast<int>(input.size())) == 1 &&
       EVP_EncryptFinal_ex(context.get(), Unsigned(sealed) + size, &rest) == 1;
  if (!ok) return CryptoError("encryption failed");
  sealed.resize(static_cast<size_t>(size) + static_cast<size_t>(rest));
  out += sealed;
  if (algorithm.mode == Mode::kGcm) {
    std::string tag(kTagSize, '\0');
    if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTagSize, tag.data()) != 1)
      return CryptoError("encryption failed");
    out += tag;
  }
  return out;
}

Result<std::string> AesDecrypt(std::string_view input, std::string_view key, std::string_view mode,
                               std::string_view padding, std::string_view aad) {
  MERGANSER_ASSIGN_OR_RETURN(const Algorithm algorithm, Choose(key, mode, padding));
  if (!aad.empty() && algorithm.mode != Mode::kGcm) return Unsupported("AES_MODE_AAD", mode);
  const size_t tag_size = algorithm.mode == Mode::kGcm ? kTagSize : 0;
  if (input.size() < algorithm.iv_size + tag_size) return CryptoError("Invalid buffer arguments");
  const std::string_view iv = input.substr(0, algorithm.iv_size);
  const std::string_view body =
      input.substr(algorithm.iv_size, input.size() - algorithm.iv_size - tag_size);
  std::string tag(input.substr(input.size() - tag_size));
  const Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  std::string out(body.size() + 32, '\0');
  int size = 0;
  int rest = 0;
  bool ok = EVP_DecryptInit_ex(context.get(), algorithm.cipher, nullptr, Unsigned(key),
                               Unsigned(iv)) == 1;
  if (!aad.empty())
    ok = ok && EVP_DecryptUpdate(context.get(), nullptr, &size, Unsigned(aad),
                                 static_cast<int>(aad.size())) == 1;
  ok = ok && EVP_DecryptUpdate(context.get(), Unsigned(out), &size, Unsigned(body),
                               static_cast<int>(body.size())) == 1;
  if (tag_size > 0)
    ok = ok && EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag_size),
                                   tag.data()) == 1;
  ok = ok && EVP_DecryptFinal_ex(context.get(), Unsigned(out) + size, &rest) == 1;
  if (!ok)
    return CryptoError(tag_size > 0 ? "Tag mismatch" : "the key or the padding does not fit");
  out.resize(static_cast<size_t>(size) + static_cast<size_t>(rest));
  return out;
}

}  // namespace merganser::engine
