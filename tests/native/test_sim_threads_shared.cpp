// What several threads may do at once in one process, a scene for each: threads SCENE. The results must be right, and a
// build with -fsanitize=thread must find no race, in the simulator or in the call recorder in front of it. Ends with
// status 0, or with 1 and a message.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>

#include "planted/graph_rnn.hpp"

extern "C" __attribute__((weak)) int fp_recorder_attach(int);
extern "C" __attribute__((weak)) void fp_recorder_case(const char *);
extern "C" __attribute__((weak)) void fp_recorder_line(int);

namespace {

constexpr int kThreads = 6;
std::atomic<int> failures{0};

void must(bool good, const char *what) {
    if (good) return;
    std::printf("%s\n", what);
    ++failures;
}

void in_threads(const std::function<void(int)> &work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread &thread : threads) thread.join();
}

using Floats = std::vector<float>;

float *upload(const Floats &values) {
    float *device = nullptr;
    must(cudaMalloc(reinterpret_cast<void **>(&device), values.size() * 4) == cudaSuccess, "cudaMalloc");
    must(cudaMemcpy(device, values.data(), values.size() * 4, cudaMemcpyHostToDevice) == cudaSuccess, "upload");
    return device;
}

Floats download(const float *device, size_t count) {
    Floats values(count);
    must(cudaMemcpy(values.data(), device, count * 4, cudaMemcpyDeviceToHost) == cudaSuccess, "download");
    return values;
}

Floats wave(size_t count, float seed) {
    Floats values(count);
    for (size_t i = 0; i < count; ++i) values[i] = std::sin(seed + static_cast<float>(i) * 0.7f);
    return values;
}

// ---- operations: every thread with a handle, descriptors and memory of its own ---------------------------------------
struct Image {
    static constexpr int kChannels = 16, kSize = 40;
    static constexpr size_t kCount = size_t{2} * kChannels * kSize * kSize;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, channel;
    float *in, *out, *other, one = 1, zero = 0;

    explicit Image(float seed) {
        must(cudnnCreate(&handle) == CUDNN_STATUS_SUCCESS, "cudnnCreate");
        cudnnCreateTensorDescriptor(&x);
        cudnnCreateTensorDescriptor(&channel);
        cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, kChannels, kSize, kSize);
        cudnnSetTensor4dDescriptor(channel, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kChannels, 1, 1);
        in = upload(wave(kCount, seed));
        out = upload(wave(kCount, seed + 1));
        other = upload(wave(kCount, seed + 2));
    }
    ~Image() {
        for (float *memory : {in, out, other}) must(cudaFree(memory) == cudaSuccess, "cudaFree");
        cudnnDestroyTensorDescriptor(x);
        cudnnDestroyTensorDescriptor(channel);
        must(cudnnDestroy(handle) == CUDNN_STATUS_SUCCESS, "cudnnDestroy");
    }
};

Floats convolution(float seed) {
    Image image(seed);
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t conv;
    cudnnCreateFilterDescriptor(&w);
    cudnnCreateConvolutionDescriptor(&conv);
    cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 16, 16, 3, 3);
    cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    float *weights = upload(wave(16 * 16 * 9, seed));
    must(cudnnConvolutionForward(image.handle, &image.one, image.x, image.in, w, weights, conv, kImplicit, nullptr, 0,
                                 &image.zero, image.x, image.out) == 0, "forward");
    must(cudnnConvolutionBackwardData(image.handle, &image.one, w, weights, image.x, image.out, conv,
                                      CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &image.zero, image.x, image.other) == 0,
         "backward data");
    must(cudnnConvolutionBackwardFilter(image.handle, &image.one, image.x, image.in, image.x, image.out, conv,
                                        CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &image.zero, w, weights) == 0,
         "backward filter");
    Floats found = download(image.other, Image::kCount);
    const Floats gradient = download(weights, 16 * 16 * 9);
    found.insert(found.end(), gradient.begin(), gradient.end());
    cudaFree(weights);
    cudnnDestroyFilterDescriptor(w);
    cudnnDestroyConvolutionDescriptor(conv);
    return found;
}

Floats pooling_and_softmax(float seed) {
    Image image(seed);
    cudnnPoolingDescriptor_t pool;
    cudnnCreatePoolingDescriptor(&pool);
    cudnnSetPooling2dDescriptor(pool, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 1, 1);
    must(cudnnPoolingForward(image.handle, pool, &image.one, image.x, image.in, &image.zero, image.x, image.out) == 0, "pool");
    must(cudnnSoftmaxForward(image.handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &image.one, image.x, image.out,
                             &image.zero, image.x, image.other) == 0, "softmax");
    cudnnDestroyPoolingDescriptor(pool);
    return download(image.other, Image::kCount);
}

Floats normalisation(float seed) {
    Image image(seed);
    const Floats ones(Image::kChannels, 1);
    float *scale = upload(ones), *bias = upload(ones), *mean = upload(ones), *variance = upload(ones);
    must(cudnnBatchNormalizationForwardTraining(image.handle, CUDNN_BATCHNORM_SPATIAL, &image.one, &image.zero, image.x, image.in,
                                                image.x, image.out, image.channel, scale, bias, 0.5, mean, variance, 1e-5,
                                                nullptr, nullptr) == 0, "batch norm");
    Floats found = download(image.out, Image::kCount);
    const Floats running = download(mean, ones.size());
    found.insert(found.end(), running.begin(), running.end());
    for (float *memory : {scale, bias, mean, variance}) cudaFree(memory);
    return found;
}

Floats reduction_and_activation(float seed) {
    Image image(seed);
    cudnnReduceTensorDescriptor_t sum;
    cudnnActivationDescriptor_t relu;
    cudnnCreateReduceTensorDescriptor(&sum);
    cudnnCreateActivationDescriptor(&relu);
    cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0);
    cudnnSetReduceTensorDescriptor(sum, CUDNN_REDUCE_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                   CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES);
    size_t bytes = 0;
    cudnnGetReductionWorkspaceSize(image.handle, sum, image.x, image.channel, &bytes);
    float *space = upload(Floats(bytes / 4 + 1));
    must(cudnnActivationForward(image.handle, relu, &image.one, image.x, image.in, &image.zero, image.x, image.out) == 0, "relu");
    must(cudnnReduceTensor(image.handle, sum, nullptr, 0, space, bytes, &image.one, image.x, image.out, &image.zero,
                           image.channel, image.other) == 0, "reduce");
    cudaFree(space);
    cudnnDestroyReduceTensorDescriptor(sum);
    cudnnDestroyActivationDescriptor(relu);
    return download(image.other, Image::kChannels);
}

Floats graph(float seed) {
    Graph exp;
    exp.begin();
    const Floats values = wave(128, seed);
    cudaMemcpy(exp.x, values.data(), 512, cudaMemcpyHostToDevice);
    exp.execute(exp.plan(exp.first()));
    Floats found = download(exp.y, 128);
    exp.destroy();
    return found;
}

Floats recurrent(float seed) {
    Recurrent net;
    net.begin();
    net.fill();
    const Floats values = wave(24, seed);
    cudaMemcpy(net.x, values.data(), Recurrent::kBytes, cudaMemcpyHostToDevice);
    must(net.forward() == 0 && net.backward_data() == 0 && net.backward_weights() == 0, "rnn");
    Floats found = download(net.y, 24);
    const Floats gradient = download(reinterpret_cast<float *>(net.gradient), net.weight_bytes / 4);
    found.insert(found.end(), gradient.begin(), gradient.end());
    net.destroy();
    return found;
}

using Operation = Floats (*)(float);
constexpr Operation kOperations[] = {convolution, pooling_and_softmax, normalisation, reduction_and_activation, graph, recurrent};

// What each operation gives alone, it must give beside the others, bit for bit.
void operations() {
    std::vector<Floats> alone;
    for (size_t i = 0; i < std::size(kOperations); ++i) alone.push_back(kOperations[i](static_cast<float>(i)));
    for (const Floats &found : alone) {
        must(std::all_of(found.begin(), found.end(), [](float v) { return std::isfinite(v); }), "not finite");
        must(std::any_of(found.begin(), found.end(), [](float v) { return v != 0; }), "all zero");
    }
    in_threads([&](int thread) {
        for (size_t round = 0; round < 2 * std::size(kOperations); ++round) {
            const size_t i = (round + static_cast<size_t>(thread)) % std::size(kOperations);
            const Floats found = kOperations[i](static_cast<float>(i));
            must(std::memcmp(found.data(), alone[i].data(), found.size() * 4) == 0, "another result beside other threads");
        }
    });
}

// ---- shared: descriptors and memory that all threads read, and one handle in turns -----------------------------------
void shared() {
    Problem p;
    p.begin();
    std::mutex turn;
    in_threads([&](int) {
        cudnnHandle_t own;
        cudnnCreate(&own);
        float *y = nullptr, one = 1, zero = 0;
        for (int i = 0; i < 20; ++i) {
            cudaMalloc(reinterpret_cast<void **>(&y), p.y_bytes());
            must(cudnnConvolutionForward(own, &one, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &zero, p.y, y) == 0,
                 "forward with shared descriptors");
            size_t bytes = 0;
            must(cudnnGetTensorSizeInBytes(p.y, &bytes) == 0 && bytes == p.y_bytes(), "a shared descriptor");
            cudaPointerAttributes found{};
            must(cudaPointerGetAttributes(&found, p.dx) == cudaSuccess && found.type == cudaMemoryTypeDevice, "attributes");
            must(cudaFree(y) == cudaSuccess, "cudaFree");
            const std::lock_guard guard(turn);
            must(p.forward() == CUDNN_STATUS_SUCCESS, "a shared handle in turns");
        }
        cudnnDestroy(own);
    });
    // Setting the stream of a handle that others use is a learner's mistake; it must not harm the simulator.
    cudaStream_t streams[2];
    for (cudaStream_t &stream : streams) cudaStreamCreate(&stream);
    in_threads([&](int thread) {
        cudaStream_t found;
        for (int i = 0; i < 50; ++i) {
            must(cudnnSetStream(p.handle, streams[thread % 2]) == 0 && cudnnGetStream(p.handle, &found) == 0, "stream");
            must(found == streams[0] || found == streams[1], "a stream that nobody set");
        }
    });
    cudnnSetStream(p.handle, nullptr);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    p.destroy();
}

// ---- events: recorded by one thread, waited for by the others ------------------------------------------------------
void events() {
    cudaStream_t common;
    cudaEvent_t start, end;
    cudaStreamCreateWithFlags(&common, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start, common);
    cudaEventRecord(end, common);
    in_threads([&](int thread) {
        cudaStream_t own;
        cudaEvent_t done;
        float milliseconds = -1;
        void *host = nullptr, *device = nullptr;
        cudaMallocHost(&host, 256);
        std::memset(host, thread, 256);
        for (int i = 0; i < 50; ++i) {
            cudaStreamCreate(&own);
            cudaEventCreateWithFlags(&done, cudaEventDefault);
            cudaMallocAsync(&device, 256, own);
            must(cudaMemcpyAsync(device, host, 256, cudaMemcpyHostToDevice, own) == cudaSuccess, "cudaMemcpyAsync");
            must(cudaEventRecord(thread ? done : end, own) == cudaSuccess, "record");
            must(cudaStreamWaitEvent(own, end, 0) == cudaSuccess, "wait");
            must(cudaEventSynchronize(end) == cudaSuccess && cudaEventQuery(end) == cudaSuccess, "a shared event");
            must(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess && milliseconds >= 0, "elapsed");
            must(cudaStreamQuery(common) == cudaSuccess && cudaStreamSynchronize(own) == cudaSuccess, "streams");
            must(cudaDeviceSynchronize() == cudaSuccess, "device");
            cudaFreeAsync(device, own);
            cudaEventDestroy(done);
            cudaStreamDestroy(own);
        }
        cudaFreeHost(host);
    });
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaStreamDestroy(common);
}

// ---- callbacks: the log's, called from every thread while it is set and taken away --------------------------------------
struct Seen {
    std::atomic<long> messages{0}, foreign{0};
};

void on_message(cudnnSeverity_t, void *data, const cudnnDebug_t *info, const char *message) {
    auto &seen = *static_cast<Seen *>(data);
    ++seen.messages;
    if (std::strncmp(message, "CuDNN (v", 8) != 0 || info->cudnn_version != cudnnGetVersion()) ++seen.foreign;
}

void callbacks() {
    static Seen seen;
    constexpr unsigned kAll = 15;
    must(cudnnSetCallback(kAll, &seen, on_message) == 0, "cudnnSetCallback");
    in_threads([&](int) {
        for (int i = 0; i < 12; ++i) graph(static_cast<float>(i));
    });
    must(seen.messages > kThreads * 12 * 20, "too few messages");
    std::atomic<bool> stop{false};
    std::thread setter([&] {
        for (int i = 0; !stop; ++i) cudnnSetCallback(i % 2 ? kAll : 0, &seen, i % 2 ? on_message : nullptr);
    });
    in_threads([&](int) {
        unsigned mask = 0;
        void *data = nullptr;
        cudnnCallback_t function = nullptr;
        for (int i = 0; i < 8; ++i) {
            graph(static_cast<float>(i));
            cudnnGetCallback(&mask, &data, &function);
            must(((mask & CUDNN_SEV_INFO_EN) != 0) == (function == on_message), "half of a callback's setting");
        }
    });
    stop = true;
    setter.join();
    cudnnSetCallback(0, nullptr, nullptr);
    must(seen.foreign == 0, "a message that is none");
}

// ---- errors: each thread has its own last error --------------------------------------------------------------------------
void errors() {
    std::barrier<> together(kThreads);
    in_threads([&](int thread) {
        char text[256];
        for (int i = 0; i < 50; ++i) {
            cudnnTensorDescriptor_t d;
            cudnnCreateTensorDescriptor(&d);
            const bool wrong = (thread + i) % 2 == 0;
            const int n = wrong ? -1 : 1;
            must((cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, 1, 1, 1) != 0) == wrong, "status");
            void *none = nullptr;
            must((cudaMalloc(&none, wrong ? size_t{1} << 60 : 0) != cudaSuccess) == wrong, "cudaMalloc");
            together.arrive_and_wait();
            cudnnGetLastErrorString(text, sizeof text);
            must((text[0] != 0) == wrong, "the text of another thread's error");
            must((cudaPeekAtLastError() == cudaErrorMemoryAllocation) == wrong, "another thread's error");
            must((cudaGetLastError() != cudaSuccess) == wrong && cudaGetLastError() == cudaSuccess, "cudaGetLastError");
            cudnnDestroyTensorDescriptor(d);
            together.arrive_and_wait();
        }
    });
}

// ---- faults: a kernel of one thread fails; all of them learn of it when they synchronise, and from then on -------------------
void faults() {
    std::barrier<> together(kThreads);
    Problem p;
    p.begin();
    in_threads([&](int thread) {
        static float host[4 * 64];
        float one = 1, zero = 0;
        if (thread == 0) {
            must(cudnnConvolutionForward(p.handle, &one, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &zero, p.y, host) ==
                     CUDNN_STATUS_SUCCESS, "the faulty launch");
        }
        together.arrive_and_wait();
        must(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "the fault is not seen");
        void *memory = nullptr;
        must(cudaMalloc(&memory, 16) == cudaErrorIllegalAddress, "the fault is forgotten");
    });
    must(cudaDeviceReset() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess, "reset");
}

struct Scene {
    const char *name;
    void (*play)();
};
constexpr Scene kScenes[] = {{"operations", operations}, {"shared", shared}, {"events", events},
                             {"callbacks", callbacks},   {"errors", errors}, {"faults", faults}};

}  // namespace

int main(int, char **argv) {
    if (const char *trace = std::getenv("TRACE"); trace && fp_recorder_attach) {
        must(fp_recorder_attach(std::atoi(trace)) == 0, "fp_recorder_attach");
        fp_recorder_case(argv[1]);
    }
    for (const Scene &scene : kScenes) {
        if (std::strcmp(scene.name, argv[1]) == 0) scene.play();
    }
    return failures == 0 ? 0 : 1;
}
