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
export type LazyAreaName = Extract<
  keyof Messages,
  'palette' | 'views' | 'export' | 'contact' | 'changes' | 'day' | 'handOver' | 'leave' | 'proof' | 'reply' | 'rights'
>

async function lazyMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  const file = area === 'handOver' ? 'hand-over' : area
  return { [area]: (await import(`@/lib/i18n/messages/${locale}/${file}.json`)).default }
}
