const yearSeconds = 365 * 24 * 60 * 60

/** Remembers a choice of looks or language; the server reads it to draw the first page right. */
export function rememberChoice(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`
}
