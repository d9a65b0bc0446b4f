export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]
export const themeCookie = 'theme'

export function readTheme(cookie: string | undefined): Theme {
  return themes.find((theme) => theme === cookie) ?? 'system'
}
