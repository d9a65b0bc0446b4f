import type { Messages } from './load-messages'
import type { Locale } from './locale'

/** The messages of what opens on demand: they come with it, in a file of their own, and the first screen is spared them. */
const areas = {
  palette: { sv: () => import('./messages/sv/palette.json'), en: () => import('./messages/en/palette.json') },
  views: { sv: () => import('./messages/sv/views.json'), en: () => import('./messages/en/views.json') },
  export: { sv: () => import('./messages/sv/export.json'), en: () => import('./messages/en/export.json') },
  contact: { sv: () => import('./messages/sv/contact.json'), en: () => import('./messages/en/contact.json') },
  changes: { sv: () => import('./messages/sv/changes.json'), en: () => import('./messages/en/changes.json') },
  day: { sv: () => import('./messages/sv/day.json'), en: () => import('./messages/en/day.json') },
  handOver: { sv: () => import('./messages/sv/hand-over.json'), en: () => import('./messages/en/hand-over.json') },
  proof: { sv: () => import('./messages/sv/proof.json'), en: () => import('./messages/en/proof.json') },
  reading: { sv: () => import('./messages/sv/reading.json'), en: () => import('./messages/en/reading.json') },
  reply: { sv: () => import('./messages/sv/reply.json'), en: () => import('./messages/en/reply.json') },
  rights: { sv: () => import('./messages/sv/rights.json'), en: () => import('./messages/en/rights.json') },
} as const satisfies Partial<Record<keyof Messages, Record<Locale, () => Promise<object>>>>

export type LazyAreaName = keyof typeof areas

export async function lazyMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  return { [area]: (await areas[area][locale]()).default }
}
