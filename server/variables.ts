import 'server-only'
import { isIP } from 'node:net'
import { z } from 'zod'
import { lengthFault } from '@/lib/contract/password'
import { AccessMapError, parseRoleMap, parseSchoolMap } from '@/server/access/access-map'
import { isMailFrom, isSmtpUrl } from '@/server/desk/mail-settings'
import { isLoopback } from './safe-settings'

const BYTES_OF_DATA_KEY = 32
const COUNT = /^[1-9]\d{0,8}$/
const PLAINTEXT = /^\s*(?:database|redis|mail)(?:\s*,\s*(?:database|redis|mail))*\s*$/
const HTTPS = 'must begin with https unless it is this machine (localhost)'

/** Every variable with its form. A message never repeats the value, which may be a secret. */
export const variablesSchema = z.object({
  LEADS_API_URL: httpAddress('must be an http or https address without user, query or fragment')
    .refine(isHttpsOrLoopback, HTTPS)
    .optional(),
  LEADS_API_TOKEN: bearerToken().optional(),
  LEADS_API_PER_SECOND: count().default(10),
  LEADS_API_PER_HOUR: count().default(600),
  NEXTAUTH_URL: httpAddress('must be the http or https address people open, without a path')
    .refine((value) => ['/', '/api/auth'].includes(new URL(value).pathname), {
      error: 'must be the http or https address people open, without a path',
      when: ({ value }) => typeof value === 'string' && URL.canParse(value),
    })
    .refine(isHttpsOrLoopback, HTTPS)
    .optional(),
  NEXTAUTH_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  OIDC_ISSUER: httpAddress('must be an https address')
    .refine(isHttpsOrLoopback, HTTPS)
    .refine(isOneTenant, 'must name one tenant of Entra ID, not common, organizations or consumers')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'must contain openid')
    .default('openid email profile'),
  OIDC_TRUST_EMAIL: z.enum(['on', 'off'], 'must be on or off').default('off'),
  OIDC_ROLE_MAP: accessMap(parseRoleMap).optional(),
  OIDC_SCHOOL_MAP: accessMap(parseSchoolMap).optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email('must be an email address').optional(),
  BOOTSTRAP_ADMIN_PASSWORD: z
    .string()
    .refine((value) => lengthFault(value) !== 'too-short', 'must have at least 12 characters')
    .refine((value) => lengthFault(value) !== 'too-long', 'must have at most 200 characters')
    .optional(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
  DATABASE_URL: schemeOf(['postgres:', 'postgresql:'], 'must be a postgres:// address').optional(),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: schemeOf(['redis:', 'rediss:'], 'must be a redis:// or rediss:// address').optional(),
  DATA_KEY: dataKey().optional(),
  DATA_KEY_PREVIOUS: dataKey().optional(),
  ALLOW_PLAINTEXT: z.string().regex(PLAINTEXT, 'must be a list of: database, redis, mail').optional(),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'must be smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465, both encoded')
    .optional(),
  MAIL_FROM: z.string().refine(isMailFrom, 'must be an email address, or Name <address>').optional(),
  DEMO_TIER: z.enum(['S', 'M', 'L', 'XL', 'Stress'], 'must be one of S, M, L, XL, Stress').default('M'),
  DEMO_PAST: z.enum(['full', 'none'], 'must be full or none').default('full'),
  RETENTION_MONTHS: count().default(24),
  METRICS_TOKEN: bearerToken().optional(),
  PORT: count()
    .refine((port) => port <= 65_535, 'must be a port number')
    .default(3000),
  HOST: z
    .string()
    .refine(isHost, 'must be an IP address or a host name of this machine, like 127.0.0.1 or ::')
    .optional(),
  HTTPS_PROXY: proxyAddress().optional(),
  HTTP_PROXY: proxyAddress().optional(),
  NO_PROXY: z.string().optional(),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d$/, 'must be the number of proxies in front, 0 to 9')
    .transform(Number)
    .default(0),
  DRAIN_SECONDS: z
    .string()
    .regex(/^([0-9]|[1-5]\d|60)$/, 'must be a number of seconds, 0 to 60')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], 'must be auto, json or text').default('auto'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'must be an http or https address',
    )
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
})

export type Variables = z.infer<typeof variablesSchema>
export type VariableName = keyof Variables

function count() {
  return z.string().regex(COUNT, 'must be a positive whole number').transform(Number)
}

function httpAddress(message: string) {
  return z.string().refine((value) => {
    if (!URL.canParse(value)) return false
    const { protocol, username, password, search, hash } = new URL(value)
    return /^https?:$/.test(protocol) && username + password + search + hash === ''
  }, message)
}

function isHost(value: string): boolean {
  return isIP(value) !== 0 || /^(?!-)[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*$/i.test(value)
}

/** As others take it, too: without a scheme it is http. Its user and password are part of it. */
function proxyAddress() {
  return z
    .string()
    .transform((value) => (value.includes('://') ? value : `http://${value}`))
    .refine(isProxyAddress, 'must be an http:// or https:// address, with a port and, if it asks for one, a user')
}

function isProxyAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && hostname !== '' && pathname === '/' && isEncoded(username) && isEncoded(password)
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '\0'
  } catch {
    return false
  }
}

/** RFC 6750 allows less; what matters is that nothing can break out of the header. */
function bearerToken() {
  return z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
}

function schemeOf(protocols: string[], message: string) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), message)
}

function isHttpsOrLoopback(value: string): boolean {
  return !/^\s*http:/i.test(value) || isLoopback(value)
}

function dataKey() {
  return z.string().refine(isDataKey, 'must be 32 bytes in base64')
}

/** An issuer for all tenants of Entra ID is no issuer: whoever has an account anywhere could come. */
function isOneTenant(value: string): boolean {
  return !/\/(common|organizations|consumers|\{tenantid\}|%7Btenantid%7D)(\/|$)/i.test(value)
}

function accessMap<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue(error instanceof AccessMapError ? error.message : 'cannot be read')
      return z.NEVER
    }
  })
}

function isDataKey(value: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === BYTES_OF_DATA_KEY
}
