export const LOCALES = ['sv', 'en'] as const
export type Locale = (typeof LOCALES)[number]
const DEFAULT_LOCALE: Locale = 'sv'
export const localeCookie = 'locale'

/** Chooses the language of the cookie, else the one that the browser prefers (RFC 9110, 12.5.4), else Swedish. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag, quality = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase())
      return { language: tag?.split('-')[0], quality: Number(quality.replace('q=', '')) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
    .find(isLocale)
  return wanted ?? DEFAULT_LOCALE
}

function isLocale(value: string | undefined): value is Locale {
  return LOCALES.some((locale) => locale === value)
}
