import { deskPage } from '@/app/(desk)/desk-page'
import { DayScreen } from '@/components/day/day-screen'
import { FirstData } from '@/components/inbox/first-data'
import type { FirstAnswer } from '@/lib/api/first-answer'
import { dayQuery } from '@/lib/api/day-query'
import { type Asked, asked } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import type { Reader } from '@/server/access/viewer'
import { getDay } from '@/server/desk/day'
import { NotReadyError } from '@/server/errors'
import { services } from '@/server/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('day.title'),
  permission: 'leads:read',
  path: '/today',
  areas: ['day'],
  screen: async ({ viewer, searchParams }) => {
    const schools = [(await searchParams).school ?? []].flat().filter((id) => id !== '')
    const first = await firstDay(viewer, schools)
    return (
      <FirstData json={JSON.stringify(first === null ? [] : [first])}>
        <DayScreen />
      </FirstData>
    )
  },
})

export { generateMetadata, Page as default }

async function firstDay(viewer: Reader, schools: string[]): Promise<FirstAnswer<Day & Asked> | null> {
  try {
    const data = await asked(() => getDay(services(), viewer, schools.length > 0 ? { school: schools } : {}))
    return { key: dayQuery(schools, false).queryKey, data, at: Date.now() }
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
