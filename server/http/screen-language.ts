import 'server-only'
import { type Locale, localeCookie, localeOf } from '@/lib/i18n/locale'
import { cookieOf } from '@/server/access/session-cookie'

/** The language of the screen that a request comes from: as chosen, else as the browser prefers. */
export function screenLanguage(request: Pick<Request, 'headers'>): Locale {
  return localeOf(cookieOf(request, localeCookie), request.headers.get('accept-language'))
}
