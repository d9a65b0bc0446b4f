import type { Metadata } from 'next'
import { getLocale, getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { DayScreen } from '@/components/day/day-screen'
import { Words } from '@/components/desk/words'
import { FirstData } from '@/components/inbox/first-data'
import type { PageSearchParams } from '@/components/inbox/inbox-screen'
import type { FirstAnswer } from '@/lib/api/first-answer'
import { DAY_KEY } from '@/lib/api/refresh'
import { areasAsJson } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { type Allowed, may } from '@/server/access/viewer'
import { getDay } from '@/server/desk/day'
import { NotReadyError } from '@/server/errors'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('day')
  return { title: t('title') }
}

/** Where whoever may read leads begins: what there is to do. Its first numbers are in the HTML. */
export default async function TodayPage({ searchParams }: { searchParams: PageSearchParams }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'leads:read')) return refusedPage(viewer, '/today')
  const [locale, messages, { school }] = await Promise.all([getLocale(), getMessages(), searchParams])
  const schools = [school ?? []].flat().filter((id) => id !== '')
  const first = await firstDay(viewer, schools)
  return (
    <Words json={areasAsJson(locale, messages, ['day'])}>
      <FirstData json={JSON.stringify(first === null ? [] : [first])}>
        <DayScreen />
      </FirstData>
    </Words>
  )
}

/** Null before the service has answered for the first time: the browser goes on asking, and says so. */
async function firstDay(viewer: Allowed<'leads:read'>, schools: string[]): Promise<FirstAnswer | null> {
  try {
    const data = await getDay(services(), viewer, schools.length > 0 ? { school: schools } : {})
    return { key: [...DAY_KEY, schools.toSorted()], data, at: Date.now() }
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
