import { type AuthEnv, usesHttps } from '@/server/access/cookies'

export function createSecurityHeaders(env: AuthEnv): Record<string, string> {
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(usesHttps(env) && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** A strict policy with a nonce (W3C CSP 3), except for `style` attributes, which charts and virtualised rows need. */
export function createContentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
  // The overlay of `next dev` needs `eval`, a WebSocket and 'unsafe-inline' styles, which a nonce would disable.
  const developmentOnly = (source: string) => (isDevelopment ? ` ${source}` : '')
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${developmentOnly("'unsafe-eval'")}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${developmentOnly('ws:')}`,
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}
