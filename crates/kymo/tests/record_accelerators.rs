//! `kymo record` of programs that use accelerators. The programs know what they do.

use std::process::Command;

use crate::record_common::{TestFolder, count_lines as count};

const FLAGS: [&str; 3] = ["-g", "-O1", "-pthread"];

/// Two programs judge the archive.
fn judge(folder: &TestFolder) {
    let anchor = folder.path("o/kymo/traces.otf2");
    let mut check = Command::new(env!("CARGO_BIN_EXE_kymo"));
    let checked = check.arg("check").arg(&anchor).output().expect("kymo check");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert!(text.contains("no errors, 0 warnings, 0 notes"), "{text}");
    let printed = kymo_testdata::program("otf2-print").arg("--silent").arg(&anchor).output();
    let printed = printed.expect("otf2-print");
    assert!(printed.status.success() && printed.stderr.is_empty(), "{printed:?}");
}

#[test]
fn constructs_of_openacc_are_regions_with_their_places() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[&FLAGS[..], &["-fopenacc"]].concat(), "openacc.c");
    let recording = folder.record(&["-o", "o", "--with", "openacc,threads"], &[&program], 0);
    for (region, times) in [
        ("acc_init", 1),
        ("acc_compute @openacc.c:14", 15),
        ("acc_compute @openacc.c:32", 1),
        ("acc_data_enter @openacc.c:29", 1),
        ("acc_data_enter @openacc.c:40", 3),
        ("acc_data_exit @openacc.c:41", 3),
        ("acc_update @openacc.c:35", 1),
        ("acc_update @openacc.c:36", 1),
    ] {
        recording.has_region(region, times);
    }
    let (file, line) = recording.place_of("acc_compute @openacc.c:32");
    assert!(file.ends_with("/programs/openacc.c") && line == 32, "{file}:{line}");
    judge(&folder);
}

/// The first function of the library that the program calls is called late.
#[test]
fn a_library_of_openacc_that_is_opened_later_is_recorded() {
    let folder = TestFolder::new();
    let flags = [&FLAGS[..], &["-fopenacc", "-fPIC", "-shared", "-Dmain=run"]].concat();
    let library = folder.compile("cc", &flags, "openacc.c");
    let program = folder.compile("cc", &[&FLAGS[..], &["-ldl"]].concat(), "opens_and_runs.c");
    let recording = folder.record(&["-o", "o", "--with", "openacc"], &[&program, &library], 0);
    recording.has_region("acc_compute @openacc.c:14", 15);
    judge(&folder);
}

#[test]
fn what_a_library_of_openacc_tells_about_devices_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[&FLAGS[..], &["-ldl"]].concat(), "openacc_devices.c");
    let recording = folder.record(&["-o", "o", "--with", "openacc"], &[&program], 0);
    for (region, times) in [
        ("acc_compute @heat.c:20", 3),
        ("acc_upload @heat.c:20", 3),
        ("acc_download @heat.c:20", 3),
        ("acc_launch_kernel @heat.c:20", 3),
        ("acc_launch_kernel @heat.c:30", 3),
        ("acc_wait", 1),
    ] {
        recording.has_region(region, times);
    }
    assert_eq!(recording.place_of("acc_compute @heat.c:20"), ("/src/solver/heat.c".to_owned(), 20));
    let events = folder.printed("o", &[]);
    assert_eq!(count(&events, &["acc_transfer_bytes", "Value: 8000"]), 6, "{events}");
    assert_eq!(count(&events, &["acc_variable_name", "field"]), 6);
    assert_eq!(count(&events, &["acc_implicit", "Value: 1"]), 6);
    assert_eq!(count(&events, &["acc_kernel_name", "step_20_gpu"]), 6);
    // The second launch does not tell the sizes.
    assert_eq!(count(&events, &["acc_kernel_gangs", "Value: 32"]), 3);
    assert_eq!(count(&events, &["acc_kernel_vector_length", "Value: 128"]), 3);
    assert_eq!(count(&events, &["OpenACC Memory", "; 8000)"]), 3);
    assert_eq!(count(&events, &["OpenACC Memory", "; 0)"]), 3);
    judge(&folder);
    let ended = folder.run(&["-o", "p", "--with", "openacc"], &[&program]);
    let line = "kymo: openacc: ends of ranges that had not begun on their thread, ignored: 1";
    assert_eq!(count(&ended.stderr, &[line]), 1, "{ended:?}");
}

/// gcc's runtime tells nothing about devices, so its functions are the regions.
#[test]
fn constructs_of_openmp_for_devices_are_regions_with_their_types() {
    let folder = TestFolder::new();
    let flags = [&FLAGS[..], &["-fopenmp", "-foffload=disable"]].concat();
    let program = folder.compile("cc", &flags, "openmp_target.c");
    let recording = folder.record(&["-o", "o", "--with", "openmp"], &[&program], 0);
    recording.has_region("!$omp target @openmp_target.c:10", 5);
    let events = folder.printed("o", &[]);
    for (kind, times) in [
        ("\"target\"", 5),
        ("\"target_enter_data\"", 2),
        ("\"target_exit_data\"", 2),
        ("\"target_update\"", 2),
        ("\"target_nowait\"", 1),
    ] {
        assert_eq!(count(&events, &["target type", kind]), times, "{kind}: {events}");
    }
    judge(&folder);
}

#[test]
fn what_a_runtime_of_openmp_reports_about_devices_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &[&FLAGS[..], &["-ldl"]].concat(), "ompt_devices.c");
    let recording = folder.record(&["-o", "o", "--with", "openmp"], &[&program], 0);
    for (region, times) in [
        ("!$omp target @ompt_devices.c:105", 5),
        ("!$omp target submit @ompt_devices.c:105", 5),
        ("!$omp target alloc @ompt_devices.c:105", 5),
        ("!$omp target data op @ompt_devices.c:105", 10),
        ("!$omp target free @ompt_devices.c:105", 5),
        ("!$omp target @ompt_devices.c:106", 1),
        ("!$omp target @ompt_devices.c:93", 1),
        // Outside of any region.
        ("!$omp target alloc @ompt_devices.c:107", 1),
    ] {
        recording.has_region(region, times);
    }
    let events = folder.printed("o", &[]);
    assert_eq!(count(&events, &["target type", "target_nowait"]), 1, "{events}");
    assert_eq!(count(&events, &["bytes", "Value: 8000"]), 21);
    assert_eq!([count(&events, &["to device"]), count(&events, &["from device"])], [7, 7]);
    judge(&folder);
}

/// With layers of the user, the functions of the loader are replaced.
#[test]
fn commands_of_opencl_are_on_the_streams_of_their_queues() {
    let folder = TestFolder::new();
    let flags = [&FLAGS[..], &["-Wl,--no-as-needed", "-lOpenCL"]].concat();
    let program = folder.compile("cc", &flags, "opencl.c");
    // pocl keeps compiled kernels.
    let cache = folder.path("cache").display().to_string();
    for (output, layers) in [("o", ""), ("p", "/none/layer.so")] {
        let kymo = folder.kymo(&["-o", output, "--with", "opencl"], &[&program]);
        let ended = kymo.with(&[("POCL_CACHE_DIR", &cache), ("OPENCL_LAYERS", layers)]).end();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), "262\n"), "{ended:?}");
        // Contexts of devices are no processes.
        assert!(ended.stderr.contains("traces.otf2: 1 process, 1 thread, "), "{ended:?}");
        let recording = folder.read(output);
        for (region, times) in [
            ("clEnqueueNDRangeKernel", 16),
            ("$scale", 13),
            ("$shift", 3),
            // Once on the host, and once on the stream.
            ("clEnqueueFillBuffer", 2),
            ("clFinish", 4),
            ("clEnqueueReadBuffer", 2),
            ("clGetPlatformIDs", 1),
        ] {
            recording.has_region(region, times);
        }
        for (kind, times) in [("RmaGet", 4), ("RmaPut", 2), ("RmaOpCompleteBlocking", 6)] {
            assert_eq!(recording.count(kind), times, "{kind}");
        }
    }
    let mut stats = Command::new(env!("CARGO_BIN_EXE_kymo"));
    let stats = stats.arg("stats").arg(folder.path("o")).output().expect("kymo stats");
    let stats = String::from_utf8_lossy(&stats.stdout).into_owned();
    assert!(stats.contains("processes: 1, nodes: 1, most threads: 1\n"), "{stats}");
    let definitions = folder.printed("o", &["-G"]);
    let context = ["LOCATION_GROUP", "\"OpenCL Context 1\"", "ACCELERATOR"];
    assert_eq!(count(&definitions, &context), 1, "{definitions}");
    assert!(count(&definitions, &["LOCATION ", "ACCELERATOR_STREAM"]) >= 3, "{definitions}");
    judge(&folder);
}
