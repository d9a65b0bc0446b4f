export const locales = ['sv', 'en'] as const
export type Locale = (typeof locales)[number]
const defaultLocale: Locale = 'sv'
export const localeCookie = 'locale'

/** Chooses the language of the cookie, else the one that the browser prefers (RFC 9110, 12.5.4), else Swedish. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
    .find(isLocale)
  return wanted ?? defaultLocale
}

function isLocale(value: string | undefined): value is Locale {
  return locales.some((locale) => locale === value)
}
