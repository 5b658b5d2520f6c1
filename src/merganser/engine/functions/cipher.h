#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"

namespace merganser::engine {

/// AES as Spark's aes_encrypt: mode GCM (a tag of 16 bytes at the end), CBC or ECB with PKCS
/// padding; padding may be DEFAULT. The initialisation vector, random unless given, stands in front
/// of the result. `aad` is for GCM alone.
///
/// Fails with INVALID_PARAMETER_VALUE.AES_KEY_LENGTH, .AES_IV_LENGTH, .AES_CRYPTO_ERROR and with
/// UNSUPPORTED_FEATURE.AES_MODE, .AES_MODE_IV, .AES_MODE_AAD.
Result<std::string> AesEncrypt(std::string_view input, std::string_view key, std::string_view mode,
                               std::string_view padding, std::string_view iv, std::string_view aad);

/// Reads what AesEncrypt writes. Fails as it does.
Result<std::string> AesDecrypt(std::string_view input, std::string_view key, std::string_view mode,
                               std::string_view padding, std::string_view aad);

}  // namespace merganser::engine
