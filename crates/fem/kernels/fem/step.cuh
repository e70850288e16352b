// Numbers of a step.
#pragma once

#include "fem/pair.cuh"

namespace fem {

// What a step is like for all elements: its length, and one over it; linear and quadratic bulk
// viscosity, and the square of the latter; a third of the stiffness against hourglass modes; what
// rounded parts of forces are multiplied by, and one over it.
template <class C>
struct Step {
    C dt, rate, linear, quadratic, square, hourglass, scale, back;
};

} // namespace fem
