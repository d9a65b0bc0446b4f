export const LOCALES = ['sv', 'en'] as const
export type Locale = (typeof LOCALES)[number]
const DEFAULT_LOCALE: Locale = 'sv'
export const LOCALE_COOKIE = 'locale'

/** Chooses the language of the cookie, else the first of ours that the browser lists, else Swedish. */
export function chooseLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  const listed = acceptLanguage?.split(',').map((range) => range.trim().slice(0, 2)) ?? []
  return [cookie, ...listed].find(isLocale) ?? DEFAULT_LOCALE
}

function isLocale(value: string | undefined): value is Locale {
  return LOCALES.some((locale) => locale === value)
}
