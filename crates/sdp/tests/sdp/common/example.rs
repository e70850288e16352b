//! A problem of SDPA.

/// Its first example, whose optimum is −41.9.
pub(crate) const EXAMPLE: &str = "\"Example 1\n3\n1\n2\n48 -8 20\n\
                       0 1 1 1 -11\n0 1 2 2 23\n1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";
