/* The least that sends what the agent sends while its wearer walks: two messages of QoS 1 a second. */
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_connected = false;

static void connected(struct mosquitto *client, void *object, int code) {
  (void)client;
  (void)object;
  is_connected = code == 0;
}

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  char steps[400], state[440], topic[2][256];
  memset(steps, 'x', sizeof steps);
  memset(state, 'x', sizeof state);
  snprintf(topic[0], sizeof topic[0], "%s/steps", words[2]);
  snprintf(topic[1], sizeof topic[1], "%s/state", words[2]);
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new(words[2], false, NULL);
  if (!client) return 1;
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_connect_callback_set(client, connected);
  if (mosquitto_connect(client, "127.0.0.1", atoi(words[1]), 30)) return 1;
  while (!is_connected)
    if (mosquitto_loop(client, 1000, 1)) return 1;
  for (long long due = now_ms();; due += 1000) {
    mosquitto_publish(client, NULL, topic[0], sizeof steps, steps, 1, false);
    mosquitto_publish(client, NULL, topic[1], sizeof state, state, 1, true);
    for (long long left; (left = due + 1000 - now_ms()) > 0;)
      if (mosquitto_loop(client, (int)left, 1)) return 1;
  }
}
