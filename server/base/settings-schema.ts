import { isIP } from 'node:net'
import { z } from 'zod'
import { findLengthFault } from '@/lib/contract/limits'
import { parseRoleMap, parseSchoolMap } from './access-map'
import { isLoopback } from './loopback'
import { isMailFrom, isSmtpUrl } from './mail-settings'

/** A secret may also come from the file that `NAME_FILE` names. A demo refuses settings of production. */
type SettingKind = 'secret' | 'production' | 'secret of production'
const kinds = z.registry<{ kind: SettingKind }>()

function markAs<Schema extends z.ZodType>(kind: SettingKind, schema: Schema): Schema {
  kinds.add(schema, { kind })
  return schema
}

/** next-auth also accepts its address with the path of its endpoints. */
const NEXTAUTH_PATHS = ['/', '/api/auth']

/** The comment above a setting is its line in `docs/settings.md`. No message repeats a value, which may be a secret. */
export const settingsSchema = z.object({
  /** the service's address with its path prefix; without it Intag is a demo and refuses settings of production */
  LEADS_API_URL: httpAddress('must be an http or https address without user, query or fragment').optional(),
  /** the service's bearer token */
  LEADS_API_TOKEN: markAs('secret of production', bearerToken()),
  /** the service's limit of requests a second */
  LEADS_API_PER_SECOND: positiveInteger().default(10),
  /** the service's limit of requests an hour */
  LEADS_API_PER_HOUR: positiveInteger().default(600),
  /** the address users open; a demo's is `http://localhost:$PORT` */
  NEXTAUTH_URL: httpAddress('must be the http or https address people open, without a path', NEXTAUTH_PATHS).optional(),
  /** encrypts session cookies: 16 characters or more; a demo creates one */
  NEXTAUTH_SECRET: markAs('secret', z.string().min(16, 'must have at least 16 characters').optional()),
  /** encrypts staff's texts and what instances share: 32 bytes in base64, the same for all instances; a demo creates one. `NEW,OLD` also reads what the key before wrote (`docs/back-up.md`) */
  DATA_KEY: markAs('secret', dataKey()),
  /** the first administrator, created when there is no user */
  BOOTSTRAP_ADMIN_EMAIL: markAs('production', z.email('must be an email address').optional()),
  /** the first administrator's password: 12 characters or more, no common one */
  BOOTSTRAP_ADMIN_PASSWORD: markAs(
    'secret of production',
    optionalText((value) => findLengthFault(value) === null, 'must have 12 to 200 characters'),
  ),
  /** the single sign-on provider (`docs/connect.md`, as all of `OIDC_`) */
  OIDC_ISSUER: markAs('production', issuer()),
  /** Intag's client id at the provider */
  OIDC_CLIENT_ID: markAs('production', z.string().optional()),
  /** Intag's client secret at the provider */
  OIDC_CLIENT_SECRET: markAs('secret of production', z.string().optional()),
  /** text of the sign-in button */
  OIDC_NAME: markAs('production', z.string().default('Single sign-on')),
  /** `on` where the provider sends no `email_verified` and the organisation administers the addresses */
  OIDC_TRUST_EMAIL: markAs('production', onOrOff('off')),
  /** roles by claims */
  OIDC_ROLE_MAP: markAs('production', accessMap(parseRoleMap)),
  /** schools by claims */
  OIDC_SCHOOL_MAP: markAs('production', accessMap(parseSchoolMap)),
  /** `off`, with `OIDC_ISSUER`: only administrators of `npm run admin -- add-admin` use a password */
  PASSWORD_SIGN_IN: onOrOff('on'),
  /** PostgreSQL (`sslmode=verify-full`; `sslmode=disable` in a network of containers alone); without it PGlite in `DATA_DIR` */
  DATABASE_URL: markAs(
    'secret of production',
    optionalText((value) => /^postgres(ql)?:/i.test(value) && URL.canParse(value), 'must be a postgres:// address'),
  ),
  /** PGlite's data and the demo's secrets; one process at a time */
  DATA_DIR: z.string().default('.data'),
  /** the mail server (`docs/connect.md`); `?requireTLS=false`: also one without TLS, in a private network */
  SMTP_URL: markAs(
    'secret of production',
    optionalText(isSmtpUrl, 'must be smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465, both encoded'),
  ),
  /** the sender of mails */
  MAIL_FROM: markAs('production', optionalText(isMailFrom, 'must be an email address, or Name <address>')),
  /** proxies in front that add to `X-Forwarded-For` */
  TRUSTED_PROXIES: textMatching(/^\d$/, 'must be the number of proxies in front, 0 to 9').transform(Number).default(0),
  /** the demo's size: `S`, `M`, `L`, `XL`, `Stress`; with `-new` nothing was done before the start, and leads come every few seconds */
  DEMO_TIER: oneOf(['S', 'M', 'L', 'XL', 'Stress', 'S-new', 'M-new', 'L-new', 'XL-new', 'Stress-new']).default('M'),
  /** how long notes, log, exports and views are kept */
  RETENTION_MONTHS: textMatching(/^[1-9]\d{0,2}$/, 'must be 1 to 999 months')
    .transform(Number)
    .default(24),
  /** bearer token of `/api/metrics` */
  METRICS_TOKEN: markAs('secret', bearerToken()),
  /** the port to listen on */
  PORT: positiveInteger()
    .refine((port) => port <= 65_535, 'must be a port number')
    .default(3000),
  /** the address to listen on: `127.0.0.1` behind a proxy of this machine; default: all */
  HOST: optionalText(
    (value) => isIP(value) !== 0 || /^(?!-)[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*$/i.test(value),
    'must be an IP address or a host name of this machine, like 127.0.0.1 or ::',
  ),
  /** `fatal`, `error`, `warn`, `info`, `debug`, `trace`; `silent` */
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type Settings = z.infer<typeof settingsSchema>
type SettingName = keyof Settings

const ADMIN_SETTINGS: SettingName[] = ['BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD']
const MAIL_SETTINGS: SettingName[] = ['SMTP_URL', 'MAIL_FROM']
const PROVIDER_SETTINGS: SettingName[] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
const PROVIDER_OPTIONS: SettingName[] = ['OIDC_NAME', 'OIDC_TRUST_EMAIL', 'OIDC_ROLE_MAP', 'OIDC_SCHOOL_MAP']

/** If any of `anyOf` is set, all of `required` must be set. */
export const REQUIRED_TOGETHER: readonly { anyOf: SettingName[]; required: SettingName[] }[] = [
  { anyOf: ['LEADS_API_URL'], required: ['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY'] },
  { anyOf: ADMIN_SETTINGS, required: ADMIN_SETTINGS },
  { anyOf: [...PROVIDER_SETTINGS, ...PROVIDER_OPTIONS], required: PROVIDER_SETTINGS },
  { anyOf: MAIL_SETTINGS, required: MAIL_SETTINGS },
]

export const SETTINGS = Object.entries<z.ZodType>(settingsSchema.shape).map(([name, schema]) => {
  const { kind = '' } = kinds.get(schema) ?? {}
  const defaultText = String(schema.safeParse(undefined).data ?? '')
  return { name, defaultText, isSecret: kind.startsWith('secret'), isProduction: kind.endsWith('production') }
})

function textMatching(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message)
}

function optionalText(isValid: (value: string) => boolean, message: string) {
  return z.string().refine(isValid, message).optional()
}

function positiveInteger() {
  return textMatching(/^[1-9]\d{0,8}$/, 'must be a positive whole number').transform(Number)
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

function onOrOff(defaultValue: 'on' | 'off') {
  return z.enum(['on', 'off'], 'must be on or off').default(defaultValue)
}

function httpAddress(message: string, paths?: readonly string[]) {
  const isAddress = (value: string) => {
    if (!URL.canParse(value)) return false
    const { protocol, username, password, search, hash, pathname } = new URL(value)
    const isAllowedPath = paths?.includes(pathname) !== false
    return /^https?:$/.test(protocol) && isAllowedPath && username + password + search + hash === ''
  }
  return z
    .string()
    .refine(isAddress, message)
    .refine(
      (value) => !/^\s*http:/i.test(value) || isLoopback(value),
      'must begin with https unless it is this machine (localhost)',
    )
}

/** Multi-tenant endpoints of Entra ID are refused, because any account of any organisation could sign in. */
function issuer() {
  const multiTenant = /\/(common|organizations|consumers|\{tenantid\}|%7Btenantid%7D)(\/|$)/i
  return httpAddress('must be an https address')
    .refine(
      (value) => !multiTenant.test(value),
      'must name one tenant of Entra ID, not common, organizations or consumers',
    )
    .optional()
}

/** Accepts more than RFC 6750 (2.1): every character that cannot break out of the header. */
function bearerToken() {
  return textMatching(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces').optional()
}

function dataKey() {
  const isKey = (value: string) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === 32
  const isKeyList = (value: string) => {
    const keys = value.split(',')
    return keys.length <= 2 && keys.every(isKey)
  }
  return optionalText(isKeyList, 'must be 32 bytes in base64, or two such keys with a comma between')
}

function accessMap<T>(parse: (text: string) => T) {
  return z
    .string()
    .transform((text, context): T => {
      try {
        return parse(text)
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : 'cannot be read')
        return z.NEVER
      }
    })
    .optional()
}
