import {
  addressRanges,
  privateTargets,
  choice,
  duration,
  durationBetween,
  flag,
  integer,
  list,
  number,
  optionalText,
  secret,
  secretUrl,
  text,
  webUrl,
} from './option-table.ts';
import { signInNames, signInOptions } from './sign-in-options.ts';

/** Every environment variable the gateway reads. `npm run generate` writes docs/generated/config.md from it. */
export const options = {
  PORT: integer('Port of the public edge: REST API, /ws, discovery. 0 takes a free one.', 8080, 0, 65_535),
  HOST: text('Address the public edge and the proxy ports listen on.', '0.0.0.0'),
  ADVERTISE_HOST: optionalText(
    'Name or address by which other processes of the gateway reach this one. Absent: HOST, or the first address of the machine.',
  ),
  HEALTH_PORT: integer('Port on which this process answers GET /health to its supervisor. 0 is none.', 0, 0, 65_535),
  CONSOLE: choice('Whether the console is served at /console/ of the public edge.', ['on', 'off'], 'on'),
  DATA_DIR: text('Folder for everything the gateway keeps on disk.', './data'),
  ENVIRONMENT: choice(
    'In production the secrets must be given, private targets are refused and CORS is exact.',
    ['development', 'production'],
    'development',
  ),
  ADMIN_USERNAME: text('Name of the admin user made at the first start.', 'admin'),
  ADMIN_PASSWORD: secret(
    'Password of that user. When absent a random one is made and printed once.',
    'at least 12 characters',
    (value) => value.length >= 12,
  ),
  JWT_SECRET: secret(
    'Signs login tokens. Made and kept in DATA_DIR when absent outside production.',
    'at least 32 characters',
    (value) => value.length >= 32,
  ),
  JWT_EXPIRY: duration('Lifetime of a login token.', '24h'),
  JWT_REFRESH_EXPIRY: duration('How long after its issue a login token can be exchanged for a fresh one.', '168h'),
  JWT_SESSION_EXPIRY: duration('How long after the login that goes on at most; then the password is due again.', '30d'),
  ENCRYPTION_KEY: secret(
    'Encrypts stored credentials. Made and kept in DATA_DIR when absent outside production.',
    '32 characters or 64 hex digits',
    (value) => Buffer.byteLength(value) === 32 || /^[0-9a-f]{64}$/i.test(value),
  ),
  JWT_SECRET_PREVIOUS: secret(
    'The JWT_SECRET before a change: tokens that it signed count until they end, and it signs no new ones.',
    'at least 32 characters',
    (value) => value.length >= 32,
  ),
  ENCRYPTION_KEY_PREVIOUS: secret(
    'The ENCRYPTION_KEY before a change: what it encrypted is read and encrypted anew. The log says when it can go.',
    '32 characters or 64 hex digits',
    (value) => Buffer.byteLength(value) === 32 || /^[0-9a-f]{64}$/i.test(value),
  ),
  ENCRYPTION_KEY_START_OVER: optionalText(
    'When the key is lost that the database was sealed with: the fingerprint of the new one, which the refused start tells.',
  ),
  METRICS_TOKEN: secret(
    'Closes /api/v1/metrics/prometheus: Prometheus sends it as a bearer token. Open when absent.',
    'at least 16 characters',
    (value) => value.length >= 16,
  ),
  ALLOWED_ORIGINS: list(
    'Browser origins that may call the API, exact. Outside production any localhost origin may too.',
    'http://localhost:8080,http://localhost:3000,http://localhost:5173',
  ),

  PUBLIC_URL: webUrl(
    'Where clients reach this gateway, for what it publishes with its own address. Absent: outside production http://localhost:<PORT>, and agent cards name the address of the request; they are signed where that is the machine itself.',
  ),
  OAUTH_REDIRECT_BASE_URL: webUrl(
    'Where browsers reach this gateway. Sign-in providers send them back to /api/v1/auth/oauth/callback/{provider} there.',
  ),
  OAUTH_LINKS_MANAGEMENT_USERS: signInNames(
    'Providers of the environment whose verified addresses sign in as the viewer, operator or admin who has that address.',
  ),
  ...signInOptions,

  TRUSTED_PROXIES: addressRanges(
    'Reverse proxies whose X-Forwarded-For tells the address of the client. Of anybody else it is ignored.',
  ),

  TLS_CERT_FILE: optionalText(
    'Certificate of the public port and the proxy ports with those that lead to its authority (PEM). Needs TLS_KEY_FILE. Read anew within seconds of a change.',
  ),
  TLS_KEY_FILE: optionalText('Private key that goes with TLS_CERT_FILE (PEM, unencrypted).'),
  TLS_PAIRS_DIR: optionalText(
    'Folder with pairs for proxies that name one in their setting tls_pair: <name>/tls.crt and <name>/tls.key.',
  ),
  TLS_CLIENT_CA_FILE: optionalText(
    'Certificates of the authorities whose client certificates the proxy ports take (PEM). A user group can be bound to the subject of one.',
  ),
  TLS_CLIENT_AUTH: choice(
    'What clients of the proxy ports must show where TLS_CLIENT_CA_FILE is set. request: a certificate or a key. require: no proxy port answers a client without a certificate of these authorities; a key counts beside it.',
    ['request', 'require'],
    'request',
  ),
  TLS_TERMINATED: flag(
    'A load balancer in front ends TLS: production does not warn of ports that speak in clear.',
    false,
  ),

  DATABASE_URL: secretUrl('PostgreSQL server. When absent an embedded one runs on files under DATA_DIR.', [
    'postgres',
    'postgresql',
  ]),
  DB_MAX_OPEN_CONNS: integer('Connections to PostgreSQL at most, per process.', 10, 1, 1_000),
  DB_QUERY_TIMEOUT: duration('A query that takes longer is cancelled.', '10s'),
  REDIS_URL: secretUrl('Redis server for queues, rate limits and events. When absent this process keeps them itself.', [
    'redis',
    'rediss',
  ]),

  LOG_LEVEL: choice('Least severe lines that are logged.', ['error', 'warn', 'info', 'debug'], 'info'),
  LOG_FORMAT: choice(
    'Pretty lines are for people, json for machines; auto is pretty on a terminal only.',
    ['auto', 'json', 'pretty'],
    'auto',
  ),
  SHUTDOWN_TIMEOUT: duration(
    'How long a stop waits for exchanges in flight before it breaks them off, each with an error that its client reads.',
    '30s',
  ),

  MAX_REQUEST_SIZE_MB: integer('Largest request body accepted, in MiB.', 10, 1, 1_024),
  MAX_HELD_BODIES_MB: integer(
    'Memory for request bodies of more than 64 KiB, of all requests under way in a process, in MiB; those beyond are refused. Once half is taken, a key or user with a tenth gets no more. Callers who are not known have an eighth of it together, for bodies of more than 4 KiB. At least twice MAX_REQUEST_SIZE_MB.',
    512,
    1,
    1_048_576,
  ),
  MAX_INSPECTED_RESPONSE_MB: integer(
    'Largest response body held back to be inspected whole, in MiB; longer ones are inspected as they pass.',
    10,
    1,
    1_024,
  ),
  RUNTIME_WORKERS: integer(
    'Processes of one runtime that share the proxy ports; 0 is one per core. More than one needs DATABASE_URL and REDIS_URL.',
    1,
    0,
    256,
  ),
  TARGET_CONNECT_TIMEOUT: duration('How long a connection to a target may take.', '10s'),
  TARGET_HEADERS_TIMEOUT: duration('How long a target may take until its response headers.', '300s'),
  TARGET_IDLE_TIMEOUT: duration('How long a target may pause within a response body.', '300s'),
  CLIENT_HEADERS_TIMEOUT: duration('How long a client of a proxy port may take to send its headers.', '15s'),
  CLIENT_REQUEST_TIMEOUT: duration('How long it may take to send its whole request.', '120s'),
  CLIENT_MAX_HEADER_BYTES: integer('Largest request headers accepted on a proxy port.', 32_768, 1_024, 1_048_576),
  CLIENT_CONNECTIONS: integer('Connections of clients to one proxy port at most, per process.', 10_000, 1, 1_000_000),
  CLIENT_STALL_TIMEOUT: duration('A client that takes nothing of its answer for so long is cut.', '120s'),
  MCP_SOCKETS: integer(
    'WebSockets of MCP clients at most, of all proxy ports, per process. Once half are taken, a key with a tenth gets no more.',
    1_000,
    1,
    100_000,
  ),
  MCP_SOCKET_REQUESTS: integer('Requests of one such socket that may wait for an answer.', 1_000, 1, 100_000),
  TARGET_FAILURES: integer(
    'Failures in a row after which the circuit of a target opens for TARGET_BREAKER_COOLDOWN. 0 never opens it.',
    5,
    0,
    1_000,
  ),
  TARGET_BREAKER_COOLDOWN: duration(
    'How long the circuit of a failing target stays open before one request tries the target again.',
    '5s',
  ),
  TARGET_CONNECTIONS: integer('Connections to one target at most, per process.', 512, 1, 65_535),
  ALLOW_PRIVATE_TARGETS: choice(
    'Whether targets and webhooks may be on any private or loopback address. auto: outside production only.',
    ['auto', 'true', 'false'],
    'auto',
  ),
  ALLOWED_PRIVATE_TARGETS: privateTargets(
    'Private places that may be reached all the same, such as mcp-server,10.20.0.0/16. Metadata services of clouds and link-local addresses only where each is named by its address.',
  ),

  TRAFFIC_ANALYSIS: flag('Looks for unusual calling of each key and raises alerts about it; refuses nothing.', true),

  SPOOL_MAX_MB: integer(
    'Disk the spool of a service may take while the database is away, in MiB.',
    1_024,
    1,
    1_048_576,
  ),
  REQUEST_LOG_RETENTION: duration('How long request logs are kept.', '30d'),
  AUDIT_LOG_RETENTION: durationBetween('How long the audit log is kept.', '90d', '30d', '36500d'),
  GUARDRAIL_HEALTH_INTERVAL: durationBetween(
    'How often each assigned guardrail provider is asked about a harmless text; 0s asks none.',
    '5m',
    '0s',
    '1d',
  ),
  GUARDRAIL_MODELS_DIR: optionalText(
    'Folder with a folder for each text classifier that guardrail providers of the type local-model may name. Absent: none can be run.',
  ),
  GUARDRAIL_MODEL_MAX_MB: integer('Largest ONNX file of such a model, in MiB.', 1_024, 1, 65_536),
  GUARDRAIL_MODEL_THREADS: integer('Threads of the processor that such a model may use at once.', 1, 1, 64),
  AUDIT_LOG_LINES: flag('Writes each record of the audit log to the log too, tagged AUDIT_JSON.', true),
  GUARDRAIL_CHECK_RETENTION: duration('How long the check log of guardrail providers is kept.', '30d'),
  MCP_TOOL_LOG_RETENTION: duration(
    'How long single calls of MCP tools are kept; their sums by day stay longer.',
    '90d',
  ),
  AGENT_CALL_TIMEOUT: duration('How long a whole call of an agent may take, a stream of events included.', '1h'),
  AGENT_ADMIN_RATE_LIMIT: integer('Calls per minute of each admin to one agent; 0 is no limit.', 600, 0, 1_000_000),
  AGENT_CALLS_PER_GROUP: integer(
    'Calls of agents that a user group may have under way at once, per process.',
    100,
    1,
    100_000,
  ),
  AGENT_OPEN_TASKS: integer('Tasks of agents that a user group may have open at once.', 1_000, 1, 1_000_000),
  AGENT_TASK_TIMEOUT: durationBetween(
    'A task of an agent that is open and did not change for so long has failed, and its agent is told to stop. Never less than AGENT_CALL_TIMEOUT.',
    '24h',
    '1s',
    '3650d',
  ),
  AGENT_REFUSED_URLS: choice(
    'What is done about a file in a message to or from an agent whose URL leads where the gateway itself would not go. monitor: an alert; off: nothing.',
    ['block', 'monitor', 'off'],
    'block',
  ),
  AGENT_ACTIVE_FILES: choice(
    'What is done about a file of an agent that runs where it is opened: HTML, SVG, scripts, programs. monitor: an alert; off: nothing.',
    ['block', 'monitor', 'off'],
    'monitor',
  ),
  AGENT_TASK_RETENTION: durationBetween(
    'How long tasks of agents are kept after their last change.',
    '30d',
    '1h',
    '3650d',
  ),
  AGENT_LOG_RETENTION: duration('How long invocations of agents are kept.', '30d'),
  SKILL_PACKAGE_STORAGE_PATH: optionalText(
    'Folder for packages of skills. Absent: skill-packages under DATA_DIR, which is ./data/skill-packages there.',
  ),
  SKILL_PACKAGE_MAX_MB: integer(
    'Largest ZIP of a skill that is taken, in MiB. MAX_REQUEST_SIZE_MB must be larger, and half as much again for ZIPs in base64.',
    7,
    1,
    47,
  ),
  SKILL_PACKAGE_MAX_FILES: integer('Files that a package of a skill may have.', 2_000, 1, 2_000),
  SKILL_SOURCE_MAX_KB: integer('Largest source of a skill that is scanned alone, in KiB.', 1_024, 1, 4_096),
  SKILL_SUBMISSION_RETENTION: durationBetween(
    'How long submissions and reports of skills are kept, and skills that no admin has looked at.',
    '90d',
    '1d',
    '3650d',
  ),
  GUARDRAIL_EVALUATION_RETENTION: durationBetween(
    'How long evaluations of guardrails are kept after their end, with their results.',
    '365d',
    '1d',
    '3650d',
  ),
  TOKEN_USAGE_RETENTION: duration('How long usage records are kept.', '365d'),

  WEBSOCKET_MAX_CONNECTIONS: integer('Connections to /ws at most, per process.', 1_000, 1, 100_000),
  WEBSOCKET_PING_INTERVAL: duration('How often a client of /ws is asked for a sign of life.', '30s'),
  WEBSOCKET_WRITE_TIMEOUT: duration('How long a client of /ws may take what it is sent before it is cut.', '10s'),
  WEBSOCKET_IDLE_TIMEOUT: duration('A client of /ws that sent nothing for so long, not even a pong, is cut.', '300s'),
  WEBSOCKET_MAX_MESSAGE_BYTES: integer('Largest message a client of /ws may send.', 4_096, 256, 1_048_576),
  WEBSOCKET_RATE_LIMIT_PER_CONN: integer('Messages a client of /ws may send in a second.', 100, 1, 10_000),
  METRICS_UPDATE_INTERVAL: duration('How often clients of /ws get the figures of the gateway.', '30s'),

  ALERT_RETENTION: durationBetween('How long alerts are kept.', '90d', '7d', '3650d'),

  ALERT_DELIVERY_ATTEMPTS: integer('Attempts to deliver an alert to a channel before it is given up.', 8, 1, 100),
  ALERT_DELIVERY_BACKOFF: duration('Pause after the first failed delivery; doubles with every further one.', '2s'),
  ALERT_DELIVERY_REST: durationBetween(
    'How long an integration that failed five times in a row is left alone before one delivery tries it again; the others wait.',
    '15s',
    '1s',
    '10m',
  ),
  ALERT_DIGEST_AFTER: integer(
    'Alerts of one rule and source that people get one by one before those that follow are gathered into digests; 0 gathers none.',
    3,
    0,
    1_000,
  ),
  ALERT_DIGEST_INTERVAL: durationBetween(
    'How long the first digest gathers alerts; each further one of a flood takes twice as long, up to 16 times.',
    '1m',
    '1s',
    '1h',
  ),

  TRACING_ENABLED: flag('Sends traces to a collector.', false),
  TRACING_SERVICE_NAME: text('Service name in traces.', 'portcullis'),
  TRACING_ENVIRONMENT: text('Deployment environment in traces.', 'development'),
  TRACING_JAEGER_URL: secretUrl('Jaeger that takes OTLP over HTTP, when TRACING_OTLP_ENDPOINT is absent.', [
    'http',
    'https',
  ]),
  TRACING_OTLP_ENDPOINT: secretUrl('OTLP over HTTP endpoint, for example http://collector:4318.', ['http', 'https']),
  TRACING_SAMPLE_RATE: number('Share of requests that are traced.', 1, 0, 1),
} as const;
