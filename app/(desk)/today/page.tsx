import { createDeskPage } from '@/app/(desk)/desk-page'
import { DayScreen } from '@/components/day/day-screen'
import { PrefetchedData } from '@/components/inbox/prefetched-data'
import { prefetchAnswer } from '@/lib/api/prefetched-answer'
import { dayQuery, highSchoolsQuery } from '@/lib/api/queries'
import { getServices } from '@/server/base/services'
import { getDay } from '@/server/leads/day'
import { listHighSchools } from '@/server/leads/high-schools'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('day.title'),
  permission: 'leads:read',
  path: '/today',
  messageAreas: ['day'],
  screen: async ({ viewer, searchParams }) => {
    const schools = [(await searchParams).school ?? []].flat().filter((id) => id !== '')
    const firstAnswers = await Promise.all([
      prefetchAnswer(dayQuery(schools, false).queryKey, () =>
        getDay(getServices(), viewer, schools.length > 0 ? { school: schools } : {}),
      ),
      prefetchAnswer(highSchoolsQuery.queryKey, () => listHighSchools(getServices(), viewer)),
    ])
    return (
      <PrefetchedData json={JSON.stringify(firstAnswers.filter(Boolean))}>
        <DayScreen />
      </PrefetchedData>
    )
  },
})

export { generateMetadata, Page as default }
