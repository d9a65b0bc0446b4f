import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { NothingYet } from '@/components/desk/nothing-yet'
import { InterestScreen } from '@/components/interest/interest-screen'
import { type InterestQuery, interestQuerySchema } from '@/lib/contract/interest'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { type Allowed, may } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { interestPage } from '@/server/interest/interest'
import { services } from '@/server/services'

type SearchParams = Record<string, string | string[] | undefined>

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('interest')
  return { title: t('title') }
}

export default async function InterestPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'interest:read')) return refusedPage(viewer, '/interest')
  const [messages, params] = await Promise.all([getMessages(), searchParams])
  const page = await pageOrNull(viewer, readQuery(params))
  if (page === null) return <NothingYet lists={LEAD_LISTS} isScreen />
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'interest'])}>
      <InterestScreen page={page} />
    </NextIntlClientProvider>
  )
}

/** What cannot be read falls back to nothing, so an old or mistyped link still opens the page. */
function readQuery({ cohort, school, from, to }: SearchParams): InterestQuery {
  const { shape } = interestQuerySchema
  const schools = [school ?? []].flat().filter((id) => id !== '')
  return {
    cohort: shape.cohort.catch(undefined).parse(Number(cohort ?? Number.NaN)),
    school: shape.school.catch(undefined).parse(schools),
    from: shape.from.catch(undefined).parse(from),
    to: shape.to.catch(undefined).parse(to),
  }
}

/** Null before the service has answered for the first time. */
async function pageOrNull(viewer: Allowed<'interest:read'>, query: InterestQuery) {
  try {
    return await interestPage(services(), viewer, query)
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
