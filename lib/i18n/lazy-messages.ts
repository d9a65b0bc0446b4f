import type { Messages } from './load-messages'
import type { Locale } from './locale'

/**
 * The messages of what opens on demand: they come with it, in a file of their own, and the first screen is spared them.
 * Each area stands here once for each language.
 */
const areas = {
  sv: {
    palette: async () => (await import('@/lib/i18n/messages/sv/palette')).palette,
    views: async () => (await import('@/lib/i18n/messages/sv/views')).views,
    export: async () => (await import('@/lib/i18n/messages/sv/export')).exporting,
    contact: async () => (await import('@/lib/i18n/messages/sv/contact')).contact,
  },
  en: {
    palette: async () => (await import('@/lib/i18n/messages/en/palette')).palette,
    views: async () => (await import('@/lib/i18n/messages/en/views')).views,
    export: async () => (await import('@/lib/i18n/messages/en/export')).exporting,
    contact: async () => (await import('@/lib/i18n/messages/en/contact')).contact,
  },
} as const satisfies Record<Locale, Record<string, () => Promise<object>>>

export type LazyAreaName = keyof (typeof areas)['sv'] & keyof Messages

/** One area in one language, compiled. The parser comes along then too, once. */
export async function lazyMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  const [{ compileMessages }, messages] = await Promise.all([import('./compile-messages'), areas[locale][area]()])
  return Object.fromEntries([[area, compileMessages<object>(messages)]])
}
