import { deskPage } from '@/app/(desk)/desk-page'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { InterestScreen } from '@/components/interest/interest-screen'
import { type InterestQuery, interestQuerySchema } from '@/lib/contract/interest'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { may } from '@/server/access/viewer'
import { interestPage } from '@/server/interest/interest'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('interest.title'),
  permission: 'interest:read',
  path: '/interest',
  areas: ['interest'],
  notReady: <NoDataYet lists={LEAD_LISTS} isScreen />,
  screen: async ({ viewer, searchParams }) => {
    const query = readQuery(await searchParams, may(viewer, 'leads:read'))
    return <InterestScreen page={await interestPage(services(), viewer, query)} />
  },
})

export { generateMetadata, Page as default }

type SearchParams = Record<string, string | string[] | undefined>

/** Unreadable values are ignored, so that an old or mistyped link still opens the page; so are several schools for a manager. */
function readQuery({ cohort, school }: SearchParams, mayChoose: boolean): InterestQuery {
  const { shape } = interestQuerySchema
  const chosen = [school ?? []].flat().filter((id) => id !== '')
  const schools = mayChoose || chosen.length === 1 ? chosen : []
  return {
    cohort: shape.cohort.catch(undefined).parse(Number(cohort ?? Number.NaN)),
    school: shape.school.catch(undefined).parse(schools),
  }
}
