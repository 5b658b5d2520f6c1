#include "merganser/cli/program.h"

int main(int argc, char** argv) { return merganser::RunProgram(argc, argv); }
