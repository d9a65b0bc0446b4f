import 'server-only'
import { cookies, headers } from 'next/headers'
import { type Locale, localeCookie, localeOf } from '@/lib/i18n/locale'

/** The language of the screen of whoever makes this request: as chosen, else as the browser prefers. */
export async function screenLanguage(): Promise<Locale> {
  const [jar, head] = await Promise.all([cookies(), headers()])
  return localeOf(jar.get(localeCookie)?.value, head.get('accept-language'))
}
