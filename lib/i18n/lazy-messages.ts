import type { Messages } from './load-messages'
import type { Locale } from './locale'

/**
 * The messages of what opens on demand: they come with it, in a file of their own, and the first screen is spared them.
 * Each area stands here once for each language.
 */
const areas = {
  sv: {
    palette: () => import('@/lib/i18n/messages/sv/palette.json'),
    views: () => import('@/lib/i18n/messages/sv/views.json'),
    export: () => import('@/lib/i18n/messages/sv/export.json'),
    contact: () => import('@/lib/i18n/messages/sv/contact.json'),
    changes: () => import('@/lib/i18n/messages/sv/changes.json'),
    day: () => import('@/lib/i18n/messages/sv/day.json'),
    handOver: () => import('@/lib/i18n/messages/sv/hand-over.json'),
    proof: () => import('@/lib/i18n/messages/sv/proof.json'),
    reading: () => import('@/lib/i18n/messages/sv/reading.json'),
    reply: () => import('@/lib/i18n/messages/sv/reply.json'),
    rights: () => import('@/lib/i18n/messages/sv/rights.json'),
  },
  en: {
    palette: () => import('@/lib/i18n/messages/en/palette.json'),
    views: () => import('@/lib/i18n/messages/en/views.json'),
    export: () => import('@/lib/i18n/messages/en/export.json'),
    contact: () => import('@/lib/i18n/messages/en/contact.json'),
    changes: () => import('@/lib/i18n/messages/en/changes.json'),
    day: () => import('@/lib/i18n/messages/en/day.json'),
    handOver: () => import('@/lib/i18n/messages/en/hand-over.json'),
    proof: () => import('@/lib/i18n/messages/en/proof.json'),
    reading: () => import('@/lib/i18n/messages/en/reading.json'),
    reply: () => import('@/lib/i18n/messages/en/reply.json'),
    rights: () => import('@/lib/i18n/messages/en/rights.json'),
  },
} as const satisfies Record<Locale, Record<string, () => Promise<object>>>

export type LazyAreaName = keyof (typeof areas)['sv'] & keyof Messages

/** One area in one language. */
export async function lazyMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  return { [area]: (await areas[locale][area]()).default }
}
