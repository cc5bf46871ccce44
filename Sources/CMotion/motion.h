/// The motion engine for C: samples of an accelerometer in, steps, pauses and activities out.
///
/// Nothing is allocated and nothing is shared: all state lies in memory that the caller gives.
///
///     static _Alignas(16) unsigned char memory[MOTION_BYTES];
///     motion_t *motion = motion_begin(memory, sizeof memory, 1.75f, 0, MOTION_NORMAL);
///     for (;;) {
///       motion_take(motion, seconds(), x, y, z);
///       motion_event_t event;
///       while (motion_poll(motion, &event)) if (event.kind == MOTION_STEP) steps += 1;
///     }
#ifndef MOTION_H
#define MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#define MOTION_SURE _Nonnull
#define MOTION_MAYBE _Nullable
#else
#define MOTION_SURE
#define MOTION_MAYBE
#endif

/// Memory that is enough for an engine, in bytes; `motion_bytes` says what it takes.
#define MOTION_BYTES 16384

/// An engine that is at work.
typedef struct motion motion_t;

/// What an event is about.
enum {
  /// A step; all that is measured of it is set.
  MOTION_STEP = 1,
  /// Walking ended; dated at the last step.
  MOTION_PAUSE = 2,
  /// Walking began; dated at the first step.
  MOTION_RESUME = 3,
  /// The activity changed; `activity` and `confidence` are set.
  MOTION_ACTIVITY = 4
};

/// Activities, as flags that do not exclude one another; none of them means unknown.
enum {
  MOTION_STATIONARY = 1,
  MOTION_WALKING = 2,
  MOTION_RUNNING = 4,
  MOTION_CYCLING = 8,
  MOTION_AUTOMOTIVE = 16
};

/// How readily movements are taken for steps.
enum {
  /// What suits most people.
  MOTION_NORMAL = 0,
  /// Fewer false steps, at the price of some true ones: rough rides, work with the hands.
  MOTION_LOW = 1,
  /// Slow and weak steps are counted too, and slow exercises with them.
  MOTION_HIGH = 2
};

/// What the engine says.
typedef struct motion_event {
  /// When it happened, in s on the samples' clock; before the sample that revealed it.
  double time_s;
  /// The estimated length of the step, in m.
  float length_m;
  /// The time that the step took, in s.
  float duration_s;
  /// The smoothed cadence, in steps/s.
  float cadence_hz;
  /// MOTION_STEP and so on.
  uint8_t kind;
  /// 1 for a step that was run.
  uint8_t is_running;
  /// MOTION_WALKING and so on.
  uint8_t activity;
  /// 0 low, 1 medium, 2 high.
  uint8_t confidence;
} motion_event_t;

/// The memory that an engine takes, in bytes.
size_t motion_bytes(void);

/// Makes an engine in memory of the caller's, aligned to 16 bytes; NULL where that is too small or not aligned.
///
/// Height and step length are the wearer's, in m; 0 for a height of 1.70 m, and for a step length from height and
/// cadence. The sensitivity is MOTION_NORMAL and so on. The engine needs no end: the memory may be used for something else whenever it is no longer needed.
motion_t *MOTION_MAYBE motion_begin(
    void *MOTION_SURE memory, size_t bytes, float height_m, float step_length_m, uint8_t sensitivity);

/// Takes a sample: a time in s on a clock that does not go back, and accelerations in g, gravity included.
///
/// Any rate from 10 to 200 samples/s and any orientation will do. Events wait until they are asked for; poll after each
/// sample. False when more came than wait, and the latest are lost.
bool motion_take(motion_t *MOTION_SURE motion, double time_s, float x_g, float y_g, float z_g);

/// Ends the signal, as if the wearer had stopped at the last sample; false when events are lost.
bool motion_finish(motion_t *MOTION_SURE motion);

/// Gives the next event; false when there is none.
bool motion_poll(motion_t *MOTION_SURE motion, motion_event_t *MOTION_SURE event);

#ifdef __cplusplus
}
#endif

#endif
