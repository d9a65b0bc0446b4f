import { deskPage } from '@/app/(desk)/desk-page'
import { DayScreen } from '@/components/day/day-screen'
import { FirstData } from '@/components/inbox/first-data'
import type { FirstAnswer } from '@/lib/api/first-answer'
import { dayQuery, highSchools } from '@/lib/api/queries'
import { type Asked, asked } from '@/lib/api/send'
import { getDay } from '@/server/leads/day'
import { NotReadyError } from '@/server/base/errors'
import { listHighSchools } from '@/server/leads/high-schools'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('day.title'),
  permission: 'leads:read',
  path: '/today',
  areas: ['day'],
  screen: async ({ viewer, searchParams }) => {
    const schools = [(await searchParams).school ?? []].flat().filter((id) => id !== '')
    const firsts = await Promise.all([
      whileReady(dayQuery(schools, false), () =>
        getDay(services(), viewer, schools.length > 0 ? { school: schools } : {}),
      ),
      whileReady(highSchools, () => listHighSchools(services(), viewer)),
    ])
    return (
      <FirstData json={JSON.stringify(firsts.filter(Boolean))}>
        <DayScreen />
      </FirstData>
    )
  },
})

export { generateMetadata, Page as default }

async function whileReady(
  { queryKey: key }: { queryKey: readonly unknown[] },
  read: () => Promise<object>,
): Promise<FirstAnswer<Asked> | null> {
  try {
    return { key, data: await asked(read), at: Date.now() }
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
