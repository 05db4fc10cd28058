// The operations of reductions.
#pragma once

#include "operations.h"

namespace fpsim {

// One value reduced step by step. A NaN is passed over by minimum and maximum unless it is propagated.
class Reduction {
public:
    Reduction(cudnnReduceTensorOp_t op, bool propagate) : op_(op), propagate_(propagate) {
        const bool product = op_ == CUDNN_REDUCE_TENSOR_MUL || op_ == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
        constexpr double kLargest = std::numeric_limits<double>::infinity();
        value_ = product ? 1 : op_ == CUDNN_REDUCE_TENSOR_MIN ? kLargest : op_ == CUDNN_REDUCE_TENSOR_MAX ? -kLargest : 0;
    }

    void add(double x) {
        switch (op_) {
            case CUDNN_REDUCE_TENSOR_MUL: value_ *= x; break;
            case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS: value_ *= x == 0 ? 1 : x; break;
            case CUDNN_REDUCE_TENSOR_MIN: take(x, x < value_); break;
            case CUDNN_REDUCE_TENSOR_MAX: take(x, x > value_); break;
            case CUDNN_REDUCE_TENSOR_AMAX: take(std::fabs(x), std::fabs(x) > value_); break;
            case CUDNN_REDUCE_TENSOR_NORM1: value_ += std::fabs(x); break;
            case CUDNN_REDUCE_TENSOR_NORM2: value_ += x * x; break;
            default: value_ += x;
        }
        ++count_;
    }

    double result() const {
        if (op_ == CUDNN_REDUCE_TENSOR_NORM2) return std::sqrt(value_);
        return op_ == CUDNN_REDUCE_TENSOR_AVG ? value_ / static_cast<double>(count_) : value_;
    }
    uint32_t index() const { return index_; }

private:
    void take(double x, bool better) {
        if (propagate_ && std::isnan(value_)) return;
        if (better || (propagate_ && std::isnan(x))) value_ = x, index_ = static_cast<uint32_t>(count_);
    }

    cudnnReduceTensorOp_t op_;
    bool propagate_;
    double value_;
    int64_t count_ = 0;
    uint32_t index_ = 0;
};

}  // namespace fpsim
