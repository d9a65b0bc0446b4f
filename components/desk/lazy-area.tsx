import { useLocale } from 'next-intl'
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import { type LazyCode, lazyCode, useLazyCode } from '@/components/browser/lazy-code'
import { type LazyAreaName, lazyMessages } from '@/lib/i18n/lazy-messages'
import type { Messages } from '@/lib/i18n/load-messages'
import { type Locale, locales } from '@/lib/i18n/locale'
import { PartFailure } from './part-failure'
import { MoreWords } from './words'

/** Adds the messages of an area that does not come with the page. Nothing in it is drawn on the server. */
export function LazyArea({ area, children }: { area: LazyAreaName; children: ReactNode }) {
  const code = areaWords(useLocale(), area)
  const words = useLazyCode(code, true)
  const hasFailed = useSyncExternalStore(code.subscribe, code.hasFailed, () => false)
  if (words === undefined) return hasFailed && <PartFailure is="missing" onRetry={() => void code.want()} />
  return <MoreWords words={words}>{children}</MoreWords>
}

export function inAreas<Props extends object>(Part: ComponentType<Props>, areas: readonly LazyAreaName[]) {
  return function InAreas(props: Props) {
    return areas.reduce<ReactNode>((part, area) => <LazyArea area={area}>{part}</LazyArea>, <Part {...props} />)
  }
}

export async function fetchAhead(areas: readonly LazyAreaName[]): Promise<void> {
  const locale =
    typeof document === 'undefined' ? undefined : locales.find((one) => one === document.documentElement.lang)
  if (locale !== undefined) await Promise.all(areas.map((area) => areaWords(locale, area).ahead()))
}

const fetched = new Map<string, LazyCode<Partial<Messages>>>()

function areaWords(locale: Locale, area: LazyAreaName): LazyCode<Partial<Messages>> {
  const name = `${locale} ${area}`
  const code = fetched.get(name) ?? lazyCode(() => lazyMessages(locale, area))
  fetched.set(name, code)
  return code
}
