import type { PageSearchParams } from '@/components/inbox/inbox-screen'
import { listMetadata, ListPage } from '@/app/(desk)/list-page'

export const generateMetadata = () => listMetadata('asked-questions')

export default function QuestionsPage({ searchParams }: { searchParams: PageSearchParams }) {
  return <ListPage list="asked-questions" searchParams={searchParams} />
}
