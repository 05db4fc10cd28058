// Every program has the bug that its name says, and no other. PLANTED(rule) starts one.

PLANTED(leaks_handle) { Problem p; p.begin(); p.forward(); p.free(); p.destroy_descriptors(); }
PLANTED(leaks_descriptor) { Problem p; p.begin(); p.forward(); p.free(); cudnnDestroyTensorDescriptor(p.x);
  cudnnDestroyTensorDescriptor(p.y); cudnnDestroyConvolutionDescriptor(p.conv); cudnnDestroy(p.handle); }
PLANTED(leaks_memory) { Problem p; p.begin(); size_t bytes = p.ask(kFft); void *space; cudaMalloc(&space, bytes);
  p.forward(kFft, space, bytes); p.destroy(); }
PLANTED(leaks_stream_or_event) { Problem p; p.begin(); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e);
  p.forward(); cudaEventSynchronize(e); p.destroy(); }
PLANTED(leaks_stream_or_event) { Problem p; p.begin(); cudaStream_t s; cudaStreamCreate(&s);
  cudnnSetStream(p.handle, s); p.forward(); cudaStreamSynchronize(s); p.destroy(); }
PLANTED(double_destroy) { Problem p; p.begin(); p.forward(); p.destroy(); cudnnDestroyFilterDescriptor(p.w); }
PLANTED(double_destroy) { Problem p; p.begin(); p.forward(); p.destroy(); cudaFree(p.dx); }
PLANTED(use_after_destroy) { Problem p; p.begin(); p.forward(); p.destroy();
  size_t bytes; cudnnGetTensorSizeInBytes(p.y, &bytes); }
PLANTED(use_after_free) { Problem p; p.begin(); p.forward(); p.destroy(); cudaMemset(p.dx, 0, 4); }
PLANTED(handle_per_call) { Problem p; p.begin();
  for (int i = 0; i < 3; ++i) { p.forward(); cudnnDestroy(p.handle); cudnnCreate(&p.handle); }
  p.forward(); p.destroy(); }
PLANTED(descriptor_per_call) { Problem p; p.create(); p.set(); p.allocate();
  for (int i = 0; i < 4; ++i) { cudnnDestroyFilterDescriptor(p.w); cudnnCreateFilterDescriptor(&p.w);
    cudnnSetFilter4dDescriptor(p.w, p.type, p.format, p.k, p.c, p.r, p.r); p.forward(); }
  p.destroy(); }
PLANTED(status_ignored) { Problem p; p.create(); p.set(); p.allocate();
  cudnnSetTensor4dDescriptor(p.x, p.format, p.type, 0, 3, 8, 8); p.forward(); p.destroy(); }
PLANTED(status_ignored) { Problem p; p.begin(); p.forward(CUDNN_CONVOLUTION_FWD_ALGO_DIRECT); p.read(); p.destroy(); }
PLANTED(host_pointer_given) { Problem p; p.begin(); void *device = p.dx; std::vector<float> host(p.x_bytes() / 4);
  p.dx = host.data(); p.forward(); p.dx = device; p.destroy(); }
PLANTED(workspace_not_asked) { Problem p; p.begin(); void *space; cudaMalloc(&space, 2000000);
  p.forward(kFft, space, 2000000); cudaFree(space); p.destroy(); }
PLANTED(fixed_workspace_size) { Problem p; p.begin(); void *space; cudaMalloc(&space, 8 << 20);
  p.forward(kFft, space, 8 << 20); cudaFree(space); p.destroy(); }
PLANTED(workspace_of_other_algorithm) { Problem p; p.begin();
  size_t bytes = p.ask(CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED) + (4 << 20); void *space;
  cudaMalloc(&space, bytes); p.forward(kFft, space, bytes); cudaFree(space); p.destroy(); }
PLANTED(workspace_too_small) { Problem p; p.begin(); size_t bytes = p.ask(kFft) / 2; void *space;
  cudaMalloc(&space, bytes); p.forward(kFft, space, bytes); cudaFree(space); p.destroy(); }
PLANTED(workspace_too_small) { Problem p; p.begin(); size_t bytes = p.ask(CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING);
  p.forward(CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING, nullptr, 0); p.destroy(); }
PLANTED(scalar_wrong_type) { Problem p; p.type = CUDNN_DATA_DOUBLE; p.begin(); float a[2] = {1, 0}, b[2] = {0, 0};
  cudnnConvolutionForward(p.handle, a, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, b, p.y, p.dy);
  p.destroy(); }
PLANTED(scalar_wrong_type) { Problem p; p.begin(); double a = 1, b = 0;
  cudnnConvolutionForward(p.handle, &a, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &b, p.y, p.dy);
  p.destroy(); }
PLANTED(scalar_wrong_type) { Problem p; p.type = CUDNN_DATA_HALF; p.begin(); __half a[2] = {1.0f, 0.0f};
  float b = 0;
  cudnnConvolutionForward(p.handle, a, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &b, p.y, p.dy);
  p.destroy(); }
PLANTED(integer_scalars) { Problem p; p.begin(); int a = 1, b = 0;
  cudnnConvolutionForward(p.handle, &a, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &b, p.y, p.dy);
  p.destroy(); }
PLANTED(beta_nonzero_on_fresh_output) { Problem p; p.begin(); p.forward(kImplicit, nullptr, 0, 1, 1); p.destroy(); }
PLANTED(output_dims_wrong) { Problem p; p.create(); p.set();
  cudnnSetTensor4dDescriptor(p.y, p.format, p.type, 1, 4, 6, 6); p.allocate(); p.forward(); p.destroy(); }
PLANTED(group_count_stale) { Problem p; p.groups = 3; p.k = 3; p.create(); p.set();
  p.groups = 1; p.set_convolution(CUDNN_CROSS_CORRELATION);
  cudnnSetFilter4dDescriptor(p.w, p.type, p.format, 3, 3, 3, 3);
  cudnnGetConvolution2dForwardOutputDim(p.conv, p.x, p.w, &p.yn, &p.yc, &p.yh, &p.yw);
  p.destroy_descriptors(); cudnnDestroy(p.handle); }
PLANTED(nhwc_order_swapped) { Problem p; p.create(); p.format = CUDNN_TENSOR_NHWC; p.set();
  cudnnSetTensor4dDescriptor(p.x, CUDNN_TENSOR_NHWC, p.type, 1, 8, 8, 3); int d[4];
  if (cudnnGetConvolution2dForwardOutputDim(p.conv, p.x, p.w, d, d + 1, d + 2, d + 3)) std::printf("bad\n");
  p.destroy_descriptors(); cudnnDestroy(p.handle); }
PLANTED(nhwc_data_with_nchw_descriptor) { Problem p; p.create(); p.set();
  cudnnSetTensor4dDescriptor(p.x, CUDNN_TENSOR_NCHW, p.type, 1, 8, 8, 3); int d[4];
  if (cudnnGetConvolution2dForwardOutputDim(p.conv, p.x, p.w, d, d + 1, d + 2, d + 3)) std::printf("bad\n");
  p.destroy_descriptors(); cudnnDestroy(p.handle); }
PLANTED(filter_layout_differs) { Problem p; p.begin();
  cudnnSetTensor4dDescriptor(p.x, CUDNN_TENSOR_NHWC, p.type, 1, 3, 8, 8); p.ask(kImplicit); p.destroy(); }
PLANTED(convolution_mode_flip) { Problem p; p.create(); p.set(); p.set_convolution(CUDNN_CONVOLUTION); p.allocate();
  p.forward(); p.destroy(); }
PLANTED(algorithm_status_unchecked) { Problem p; p.begin(); cudnnConvolutionFwdAlgoPerf_t list[8]; int count;
  cudnnGetConvolutionForwardAlgorithm_v7(p.handle, p.x, p.w, p.conv, p.y, 8, &count, list);
  p.forward(list[count - 1].algo); p.destroy(); }
PLANTED(find_in_hot_path) { Problem p; p.begin(); cudnnConvolutionFwdAlgoPerf_t best; int count;
  for (int i = 0; i < 3; ++i) {
    cudnnFindConvolutionForwardAlgorithm(p.handle, p.x, p.w, p.conv, p.y, 1, &count, &best); p.forward(); }
  p.destroy(); }
PLANTED(not_synchronised_before_read) { Problem p; p.begin(); cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudnnSetStream(p.handle, s); p.forward(); p.read();
  cudaStreamDestroy(s); p.destroy(); }
PLANTED(event_not_recorded) { Problem p; p.begin(); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  cudaEventRecord(a); p.forward(); cudaDeviceSynchronize(); float ms; cudaEventElapsedTime(&ms, a, b);
  cudaEventDestroy(a); cudaEventDestroy(b); p.destroy(); }
PLANTED(sets_stream_missing) { Problem p; p.begin(); cudaStream_t s; cudaStreamCreate(&s); p.forward();
  cudaStreamSynchronize(s); cudaStreamDestroy(s); p.destroy(); }
PLANTED(buffer_too_small) { Problem p; p.begin(); cudaFree(p.dy); cudaMalloc(&p.dy, p.y_bytes() / 4); p.forward();
  p.destroy(); }
PLANTED(uninitialised_read) { Problem p; p.begin(); cudaFree(p.dx); cudaMalloc(&p.dx, p.x_bytes()); p.forward();
  p.destroy(); }
PLANTED(workspace_of_other_algorithm) { Problem p; p.begin(); size_t bytes = p.ask(kGemm);
  p.forward(kImplicit, nullptr, bytes); p.destroy(); }
PLANTED(workspace_per_call) { Problem p; p.begin(); size_t bytes = p.ask(kFft);
  for (int i = 0; i < 4; ++i) { void *space; cudaMalloc(&space, bytes); p.forward(kFft, space, bytes); cudaFree(space); }
  p.destroy(); }
PLANTED(handles_at_once) { std::vector<cudnnHandle_t> all(20); for (auto &h : all) cudnnCreate(&h);
  for (auto h : all) cudnnDestroy(h); }
PLANTED(handle_used_by_threads) { Problem p; p.begin(); cudaStream_t s; cudaStreamCreate(&s);
  cudnnSetStream(p.handle, s); p.forward(); cudaStreamSynchronize(s); std::thread other([&] { p.forward(); });
  other.join(); cudaStreamSynchronize(s); cudnnSetStream(p.handle, nullptr); cudaStreamDestroy(s); p.destroy(); }
PLANTED(used_after_reset) { cudnnHandle_t h; cudnnCreate(&h); cudaDeviceReset(); cudnnDestroy(h); }
PLANTED(output_cleared_for_beta) { Problem p; p.begin(); cudaMemset(p.dy, 0, p.y_bytes());
  p.forward(kImplicit, nullptr, 0, 1, 1); p.read(); p.destroy(); }
PLANTED(bias_not_per_channel) { Problem p; p.begin(); p.forward(); float one = 1; cudnnTensorDescriptor_t b;
  cudnnCreateTensorDescriptor(&b); cudnnSetTensor4dDescriptor(b, p.format, p.type, 1, 1, 1, 8);
  cudnnSetTensor4dDescriptor(p.y, p.format, p.type, 1, 8, 4, 8);
  cudnnAddTensor(p.handle, &one, b, p.dx, &one, p.y, p.dy); cudnnDestroyTensorDescriptor(b); p.destroy(); }
PLANTED(leaks_descriptor) { cudnnRNNDescriptor_t r; cudnnRNNDataDescriptor_t d; cudnnCreateRNNDescriptor(&r);
  cudnnCreateRNNDataDescriptor(&d); cudnnDestroyRNNDescriptor(r); }
PLANTED(use_after_destroy) { cudnnRNNDataDescriptor_t d; cudnnCreateRNNDataDescriptor(&d);
  cudnnDestroyRNNDataDescriptor(d); int n[1] = {2};
  cudnnSetRNNDataDescriptor(d, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, 2, 1, 4, n, nullptr); }
PLANTED(leaks_descriptor) { cudnnBackendDescriptor_t d;
  cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, &d); }
