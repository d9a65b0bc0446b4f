import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import type { ComponentType, ReactNode } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'
import { type Locale, locales } from '@/lib/i18n/locale'
import { MoreMessages } from './messages-provider'

/** Adds the messages of an area (a top-level key). Its children are drawn once they are here, never on the server. */
export function LazyArea({ area, children }: { area: LazyAreaName; children: ReactNode }) {
  const locale = useLocale()
  const { data } = useQuery({
    queryKey: ['messages', locale, area],
    queryFn: () => fetchMessages(locale, area),
    initialData: () => fetched.get(`${locale} ${area}`),
    staleTime: Infinity,
  })
  return data && <MoreMessages messages={data}>{children}</MoreMessages>
}

export function withMessages<Props extends object>(Part: ComponentType<Props>, areas: readonly LazyAreaName[]) {
  return function WithMessages(props: Props) {
    return areas.reduce<ReactNode>((part, area) => <LazyArea area={area}>{part}</LazyArea>, <Part {...props} />)
  }
}

/** Ahead of time, in the page's language. */
export async function loadMessages(areas: readonly LazyAreaName[]): Promise<void> {
  const locale =
    typeof document === 'undefined' ? undefined : locales.find((each) => each === document.documentElement.lang)
  if (locale !== undefined) await Promise.all(areas.map((area) => fetchMessages(locale, area)))
}

const fetched = new Map<string, Partial<Messages>>()

async function fetchMessages(locale: Locale, area: LazyAreaName): Promise<Partial<Messages>> {
  const file = area === 'putAside' ? 'put-aside' : area
  const messages = { [area]: (await import(`@/lib/i18n/messages/${locale}/${file}.json`)).default }
  fetched.set(`${locale} ${area}`, messages)
  return messages
}

/** Messages of what opens on demand, each in a file of its own that the first screen does not load. */
export type LazyAreaName = Extract<
  keyof Messages,
  | 'activity'
  | 'palette'
  | 'views'
  | 'export'
  | 'contact'
  | 'confirm'
  | 'day'
  | 'leave'
  | 'proof'
  | 'putAside'
  | 'reply'
  | 'rights'
>
