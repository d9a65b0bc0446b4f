import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InboxScreen, type PageSearchParams } from '@/components/inbox/inbox-screen'
import { NoAccess } from '@/components/shell/no-access'
import { readAskedQuestions } from '@/lib/api/asked-questions'
import { pageViewer } from '@/server/access/viewer'
import { listHighSchools } from '@/server/high-schools/list-high-schools'
import { listAskedQuestions } from '@/server/leads/list-asked-questions'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('inbox.asked-questions')
  return { title: t('title') }
}

export default async function QuestionsPage({ searchParams }: { searchParams: PageSearchParams }) {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('leads:read')) return <NoAccess role={viewer.role} />
  return (
    <InboxScreen
      list="asked-questions"
      searchParams={searchParams}
      readPage={async (query) => readAskedQuestions(await listAskedQuestions(viewer, query))}
      readSchools={() => listHighSchools(viewer)}
    />
  )
}
