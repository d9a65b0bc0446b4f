import { Hourglass } from 'lucide-react'
import type { Metadata } from 'next'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { InterestScreen } from '@/components/interest/interest-screen'
import { NoAccess } from '@/components/shell/no-access'
import { EmptyState } from '@/components/ui/empty-state'
import { type InterestQuery, interestQuerySchema } from '@/lib/contract/interest'
import { pickAreas } from '@/lib/i18n/pick-areas'
import { pageViewer, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { interestPage } from '@/server/interest/interest-page'
import './print.css'

type SearchParams = Record<string, string | string[] | undefined>

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('interest')
  return { title: t('title') }
}

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('interest:read')) return <NoAccess role={viewer.role} />
  const [t, messages, params] = await Promise.all([getTranslations('interest'), getMessages(), searchParams])
  const page = await pageOrNull(viewer, readQuery(params))
  if (page === null) {
    return (
      <EmptyState icon={<Hourglass />} isScreen title={t('notReadyTitle')}>
        {t('notReadyBody')}
      </EmptyState>
    )
  }
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'interest'])}>
      <NuqsAdapter>
        <InterestScreen page={page} />
      </NuqsAdapter>
    </NextIntlClientProvider>
  )
}

/** What cannot be read falls back to nothing, so an old or mistyped link still opens the page. */
function readQuery(params: SearchParams): InterestQuery {
  const wanted = {
    cohort: Number(params['cohort'] ?? Number.NaN),
    school: [params['school'] ?? []].flat().filter((id) => id !== ''),
    from: params['from'],
    to: params['to'],
  }
  const { cohort, school, from, to } = interestQuerySchema.shape
  return {
    ...parsed('cohort', cohort.safeParse(wanted.cohort)),
    ...parsed('school', school.safeParse(wanted.school)),
    ...parsed('from', from.safeParse(wanted.from)),
    ...parsed('to', to.safeParse(wanted.to)),
  }
}

function parsed<Name extends string, T>(name: Name, result: { success: boolean; data?: T | undefined }) {
  if (!result.success || result.data === undefined) return {}
  return { [name]: result.data }
}

async function pageOrNull(viewer: Viewer, query: InterestQuery) {
  try {
    return await interestPage(viewer, query)
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
