# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated programs: how they are made, run, judged and made smaller."""
