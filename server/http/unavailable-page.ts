import type { Locale } from '@/lib/i18n/locale'
import en from '@/lib/i18n/messages/en/away.json'
import sv from '@/lib/i18n/messages/sv/away.json'
import { findLocale } from '@/server/access/cookies'

const TEXTS: Record<Locale, Record<keyof typeof sv, { title: string; body: string }>> = { sv, en }
const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;text-align:center;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.25rem;margin:0}p{margin:.5rem 0 0;opacity:.75}`

export const UNREACHABLE_PATH = '/unreachable'

type PageOptions = { nonce: string; cause: keyof typeof sv; reloadSeconds: number }

/** Renders a 503 page that says what is unavailable. The browser reloads it after `reloadSeconds`. */
export function renderUnavailablePage(request: Request, { nonce, cause, reloadSeconds }: PageOptions) {
  const locale = findLocale(request)
  const { title, body } = TEXTS[locale][cause]
  const html = `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Intag</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${body}</p></main></body></html>`
  const reload = { 'retry-after': String(reloadSeconds), refresh: String(reloadSeconds) }
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...reload }
  return new Response(html, { status: 503, headers })
}
