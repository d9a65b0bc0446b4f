export const LOCALES = ['sv', 'en'] as const
export type Locale = (typeof LOCALES)[number]
const DEFAULT_LOCALE: Locale = 'sv'
export const localeCookie = 'locale'

/** Chooses the language of the cookie, else the first of ours in the browser's order of preference, else Swedish. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie
  const languages = (acceptLanguage ?? '').split(',').map((range) => /^\s*(\w+)/.exec(range)?.[1]?.toLowerCase())
  return languages.find(isLocale) ?? DEFAULT_LOCALE
}

function isLocale(value: string | undefined): value is Locale {
  return LOCALES.some((locale) => locale === value)
}
