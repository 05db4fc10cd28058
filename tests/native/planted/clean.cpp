// Programs that do nothing wrong, in the ways in which people write them.

CLEAN(plain) { Problem p; p.begin(); CHECK(p.forward()); p.read(); p.destroy(); }
CLEAN(many_forwards_with_one_of_each) { Problem p; p.begin(); for (int i = 0; i < 20; ++i) CHECK(p.forward());
  p.read(); p.destroy(); }
CLEAN(workspace_asked_and_given) { Problem p; p.begin(); size_t bytes = p.ask(kFft); void *space;
  CHECK(cudaMalloc(&space, bytes)); CHECK(p.forward(kFft, space, bytes)); cudaDeviceSynchronize(); cudaFree(space);
  p.read(); p.destroy(); }
CLEAN(larger_workspace_than_asked) { Problem p; p.begin(); size_t bytes = p.ask(kFft) + 4096; void *space;
  CHECK(cudaMalloc(&space, 16 << 20)); CHECK(p.forward(kFft, space, bytes)); cudaFree(space); p.destroy(); }
CLEAN(budget_and_list) { Problem p; p.begin(); cudnnConvolutionFwdAlgoPerf_t list[8]; int count;
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(p.handle, p.x, p.w, p.conv, p.y, 8, &count, list)); void *space;
  CHECK(cudaMalloc(&space, 8 << 20));
  for (int i = 0; i < count; ++i)
    if (list[i].status == CUDNN_STATUS_SUCCESS && list[i].memory <= (8 << 20)) {
      cudnnSetConvolutionMathType(p.conv, list[i].mathType); CHECK(p.forward(list[i].algo, space, 8 << 20)); break; }
  cudaFree(space); p.destroy(); }
CLEAN(first_that_works) { Problem p; p.begin();
  for (auto algo : {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, kImplicit})
    if (p.forward(algo) == CUDNN_STATUS_SUCCESS) break;
  p.read(); p.destroy(); }
CLEAN(workspace_query_that_is_refused) { Problem p; p.begin(); size_t bytes;
  if (cudnnGetConvolutionForwardWorkspaceSize(p.handle, p.x, p.w, p.conv, p.y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT,
                                              &bytes)) CHECK(p.forward(kGemm, nullptr, p.ask(kGemm)));
  p.destroy(); }
CLEAN(measured_once) { Problem p; p.begin(); cudnnConvolutionFwdAlgoPerf_t best; int count;
  CHECK(cudnnFindConvolutionForwardAlgorithm(p.handle, p.x, p.w, p.conv, p.y, 1, &count, &best)); void *space = nullptr;
  if (best.memory) CHECK(cudaMalloc(&space, best.memory));
  for (int i = 0; i < 5; ++i) CHECK(p.forward(best.algo, space, best.memory));
  cudaDeviceSynchronize(); cudaFree(space); p.destroy(); }
CLEAN(doubles) { Problem p; p.type = CUDNN_DATA_DOUBLE; p.begin(); CHECK(p.forward()); p.read(); p.destroy(); }
CLEAN(halves) { Problem p; p.type = CUDNN_DATA_HALF; p.begin(); CHECK(p.forward()); p.destroy(); }
CLEAN(nhwc) { Problem p; p.format = CUDNN_TENSOR_NHWC; p.begin(); CHECK(p.forward()); p.read(); p.destroy(); }
CLEAN(one_channel_in_both_layouts) { Problem p; p.c = 1; p.begin(); CHECK(p.forward()); p.destroy(); }
CLEAN(groups) { Problem p; p.groups = 3; p.k = 6; p.begin(); CHECK(p.forward()); p.destroy(); }
CLEAN(groups_reset) { Problem p; p.groups = 3; p.k = 3; p.begin(); CHECK(p.forward()); p.free(); p.groups = 1;
  cudnnSetConvolutionGroupCount(p.conv, 1); p.set(); p.allocate(); CHECK(p.forward()); p.destroy(); }
CLEAN(accumulate) { Problem p; p.begin(); CHECK(p.forward()); CHECK(p.forward(kImplicit, nullptr, 0, 1, 1));
  p.read(); p.destroy(); }
CLEAN(scaled) { Problem p; p.begin(); cudaMemset(p.dy, 0, p.y_bytes()); CHECK(p.forward(kImplicit, nullptr, 0, 0.5, 2));
  p.destroy(); }
CLEAN(pointwise_filter_in_convolution_mode) { Problem p; p.r = 1; p.create(); p.set(); p.set_convolution(CUDNN_CONVOLUTION);
  p.allocate(); CHECK(p.forward()); p.destroy(); }
CLEAN(own_stream) { Problem p; p.begin(); cudaStream_t s; cudaStreamCreate(&s); cudnnSetStream(p.handle, s);
  CHECK(p.forward()); CHECK(cudaStreamSynchronize(s)); p.read(); cudnnSetStream(p.handle, nullptr);
  cudaStreamDestroy(s); p.destroy(); }
CLEAN(non_blocking_stream_and_async_copy) { Problem p; p.begin(); cudaStream_t s; float *out;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaMallocHost((void **)&out, p.y_bytes());
  cudnnSetStream(p.handle, s); CHECK(p.forward());
  cudaMemcpyAsync(out, p.dy, p.y_bytes(), cudaMemcpyDeviceToHost, s); CHECK(cudaStreamSynchronize(s));
  cudaFreeHost(out); cudaStreamDestroy(s); p.destroy(); }
CLEAN(timed_with_events) { Problem p; p.begin(); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  cudaEventRecord(a); CHECK(p.forward()); cudaEventRecord(b); cudaEventSynchronize(b); float ms;
  CHECK(cudaEventElapsedTime(&ms, a, b)); cudaEventDestroy(a); cudaEventDestroy(b); p.destroy(); }
CLEAN(two_handles_at_once) { Problem p, q; p.begin(); q.begin(); CHECK(p.forward()); CHECK(q.forward()); p.destroy();
  q.destroy(); }
CLEAN(three_layers_with_descriptors_of_their_own) { Problem first; first.create(); cudnnHandle_t handle = first.handle;
  first.destroy_descriptors();
  for (int size : {8, 6, 4}) { Problem p; p.handle = handle; p.h = p.wd = size; p.create_descriptors(); p.set();
    p.allocate(); CHECK(p.forward()); p.free(); p.destroy_descriptors(); }
  cudnnDestroy(handle); }
CLEAN(one_workspace_for_three_layers) { Problem p; p.create(); void *space; size_t most = 0;
  for (int size : {8, 6, 4}) { p.h = p.wd = size; p.set(); most = p.ask(kFft) > most ? p.ask(kFft) : most; }
  cudaMalloc(&space, most);
  for (int size : {8, 6, 4}) { p.h = p.wd = size; p.set(); p.allocate(); p.ask(kFft); CHECK(p.forward(kFft, space, most));
    cudaDeviceSynchronize(); p.free(); }
  cudaFree(space); p.destroy_descriptors(); cudnnDestroy(p.handle); }
CLEAN(device_reset_at_the_end) { Problem p; p.begin(); CHECK(p.forward()); p.read(); p.destroy_descriptors();
  cudnnDestroy(p.handle); cudaDeviceReset(); }
CLEAN(error_that_is_handled) { Problem p; p.create(); p.set(); int d[4];
  cudnnSetTensor4dDescriptor(p.x, p.format, p.type, 1, 5, 8, 8);
  if (cudnnGetConvolution2dForwardOutputDim(p.conv, p.x, p.w, d, d + 1, d + 2, d + 3)) {
    char text[256]; cudnnGetLastErrorString(text, sizeof text); std::printf("%s\n", text); }
  p.destroy_descriptors(); cudnnDestroy(p.handle); }
CLEAN(setter_that_is_repeated) { Problem p; p.create(); p.set();
  if (cudnnSetTensor4dDescriptor(p.x, p.format, p.type, 0, 3, 8, 8)) CHECK(cudnnSetTensor4dDescriptor(p.x, p.format, p.type, 1, 3, 8, 8));
  p.allocate(); CHECK(p.forward()); p.destroy(); }
CLEAN(sub_buffers_of_one_allocation) { Problem p; p.create(); p.set(); char *arena; cudaMalloc((void **)&arena, 1 << 20);
  cudaMemset(arena, 0, 1 << 20); p.dx = arena; p.dw = arena + 4096; p.dy = arena + 65536; CHECK(p.forward()); p.read();
  cudaFree(arena); p.destroy_descriptors(); cudnnDestroy(p.handle); }
CLEAN(search_restored) { Problem p; p.begin(); p.forward(); void *kept; cudaMalloc(&kept, p.y_bytes());
  cudaMemcpy(kept, p.dy, p.y_bytes(), cudaMemcpyDeviceToDevice); cudnnConvolutionFwdAlgoPerf_t list[8]; int count;
  CHECK(cudnnFindConvolutionForwardAlgorithmEx(p.handle, p.x, p.dx, p.w, p.dw, p.conv, p.y, p.dy, 8, &count, list, nullptr, 0));
  cudaMemcpy(p.dy, kept, p.y_bytes(), cudaMemcpyDeviceToDevice); const float one = 1.0f;
  CHECK(cudnnConvolutionForward(p.handle, &one, p.x, p.dx, p.w, p.dw, p.conv, kImplicit, nullptr, 0, &one, p.y, p.dy));
  cudaFree(kept); p.destroy(); }
CLEAN(gradient_with_channels_of_its_own) { Problem p; p.k = 8; p.begin(); float one = 1, zero = 0; void *gx;
  cudaMalloc(&gx, p.x_bytes()); CHECK(p.forward()); size_t bytes = 1;
  CHECK(cudnnGetConvolutionBackwardDataWorkspaceSize(p.handle, p.w, p.y, p.conv, p.x, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
                                                     &bytes));
  CHECK(cudnnConvolutionBackwardData(p.handle, &one, p.w, p.dw, p.y, p.dy, p.conv, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
                                     nullptr, 0, &zero, p.x, gx)); cudaFree(gx); p.destroy(); }
CLEAN(tensor_scaled_to_zero) { Problem p; p.begin(); float zero = 0; CHECK(p.forward());
  CHECK(cudnnScaleTensor(p.handle, p.y, p.dy, &zero)); p.read(); p.destroy(); }
CLEAN(gradient_accumulated_from_zero) { Problem p; p.begin(); cudaMemset(p.dy, 0, p.y_bytes());
  for (int i = 0; i < 3; ++i) CHECK(p.forward(kImplicit, nullptr, 0, 1, 1)); p.read(); p.destroy(); }
CLEAN(sequences_described) { cudnnRNNDataDescriptor_t d; CHECK(cudnnCreateRNNDataDescriptor(&d)); int n[2] = {3, 2};
  CHECK(cudnnSetRNNDataDescriptor(d, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, 3, 2, 4, n, nullptr));
  CHECK(cudnnDestroyRNNDataDescriptor(d)); }
CLEAN(handle_for_each_thread) { Problem p; p.begin(); CHECK(p.forward()); std::thread other([] { Problem q; q.begin();
  q.forward(); cudaDeviceSynchronize(); q.destroy(); }); other.join(); p.destroy(); }
