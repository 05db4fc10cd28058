#pragma once

namespace fp {

enum class Library { cudnn, cudart };

namespace libraries {

// Address of a function in the library to forward to; null when the library or the function is missing. Opens the
// libraries that the environment names if fp_recorder_open was not called.
void *find(Library library, const char *name);

// Says once for each function, on standard error and in a note, that it is missing.
void report_missing(Library library, const char *name);

// Why the simulator refused this thread's last cuDNN call; "" where it did not, and of the real library.
const char *last_reason();

}  // namespace libraries
}  // namespace fp
