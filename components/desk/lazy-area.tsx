import { useLocale } from 'next-intl'
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import { type LazyCode, lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import type { Messages } from '@/lib/i18n/load-messages'
import { type Locale, locales } from '@/lib/i18n/locale'
import { PartFailure } from './part-failure'
import { MoreMessages } from './messages-provider'

/** Adds the messages of an area (a top-level key) that are loaded on demand. Nothing in it is rendered on the server. */
export function LazyArea({ area, children }: { area: LazyAreaName; children: ReactNode }) {
  const code = areaMessages(useLocale(), area)
  const messages = useLazyCode(code, true)
  const hasFailed = useSyncExternalStore(code.subscribe, code.hasFailed, () => false)
  if (messages === undefined) return hasFailed && <PartFailure kind="missing" onRetry={() => void code.want()} />
  return <MoreMessages messages={messages}>{children}</MoreMessages>
}

export function withMessages<Props extends object>(Part: ComponentType<Props>, areas: readonly LazyAreaName[]) {
  return function WithMessages(props: Props) {
    return areas.reduce<ReactNode>((part, area) => <LazyArea area={area}>{part}</LazyArea>, <Part {...props} />)
  }
}

export async function preloadMessages(areas: readonly LazyAreaName[]): Promise<void> {
  const locale =
    typeof document === 'undefined' ? undefined : locales.find((each) => each === document.documentElement.lang)
  if (locale !== undefined) await Promise.all(areas.map((area) => areaMessages(locale, area).preload()))
}

const fetched = new Map<string, LazyCode<Partial<Messages>>>()

function areaMessages(locale: Locale, area: LazyAreaName): LazyCode<Partial<Messages>> {
  const name = `${locale} ${area}`
  const code = fetched.get(name) ?? lazyCode(() => lazyMessages(locale, area))
  fetched.set(name, code)
  return code
}

/** Messages of what opens on demand, each in a file of its own that the first screen does not load. */
const areas = {
  palette: {
    sv: () => import('@/lib/i18n/messages/sv/palette.json'),
    en: () => import('@/lib/i18n/messages/en/palette.json'),
  },
  views: {
    sv: () => import('@/lib/i18n/messages/sv/views.json'),
    en: () => import('@/lib/i18n/messages/en/views.json'),
  },
  export: {
    sv: () => import('@/lib/i18n/messages/sv/export.json'),
    en: () => import('@/lib/i18n/messages/en/export.json'),
  },
  contact: {
    sv: () => import('@/lib/i18n/messages/sv/contact.json'),
    en: () => import('@/lib/i18n/messages/en/contact.json'),
  },
  changes: {
    sv: () => import('@/lib/i18n/messages/sv/changes.json'),
    en: () => import('@/lib/i18n/messages/en/changes.json'),
  },
  day: { sv: () => import('@/lib/i18n/messages/sv/day.json'), en: () => import('@/lib/i18n/messages/en/day.json') },
  handOver: {
    sv: () => import('@/lib/i18n/messages/sv/hand-over.json'),
    en: () => import('@/lib/i18n/messages/en/hand-over.json'),
  },
  proof: {
    sv: () => import('@/lib/i18n/messages/sv/proof.json'),
    en: () => import('@/lib/i18n/messages/en/proof.json'),
  },
  reading: {
    sv: () => import('@/lib/i18n/messages/sv/reading.json'),
    en: () => import('@/lib/i18n/messages/en/reading.json'),
  },
  reply: {
    sv: () => import('@/lib/i18n/messages/sv/reply.json'),
    en: () => import('@/lib/i18n/messages/en/reply.json'),
  },
  rights: {
    sv: () => import('@/lib/i18n/messages/sv/rights.json'),
    en: () => import('@/lib/i18n/messages/en/rights.json'),
  },
} as const satisfies Partial<Record<keyof Messages, Record<Locale, () => Promise<object>>>>

export type LazyAreaName = keyof typeof areas

async function lazyMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  return { [area]: (await areas[area][locale]()).default }
}
