// merganser_function_page NAMES
//
// Prints docs/sql/functions.md. NAMES is the file of Spark's built-in functions, one name a line.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "test/support/function_page.h"

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::cerr << "usage: merganser_function_page NAMES\n";
    return 2;
  }
  const std::string names((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::cout << merganser::test::FunctionPage(names);
  return 0;
}
