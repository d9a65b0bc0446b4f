import { createDeskPage } from '@/app/(desk)/desk-page'
import { NoDataYet } from '@/components/app/no-data-yet'
import { InterestScreen } from '@/components/interest/interest-screen'
import { interestQuerySchema } from '@/lib/contract/interest'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { may } from '@/server/access/viewer'
import { getInterestPage } from '@/server/interest/interest'
import { getServices } from '@/server/base/services'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('interest.title'),
  permission: 'interest:read',
  path: '/interest',
  areas: ['interest'],
  notReady: <NoDataYet lists={LEAD_LISTS} isWholeScreen />,
  screen: async ({ viewer, searchParams }) => {
    // Unreadable values are ignored, so that an old or mistyped link still opens the page; so are several schools for a manager.
    const { cohort, school } = await searchParams
    const { shape } = interestQuerySchema
    const chosen = [school ?? []].flat().filter((id) => id !== '')
    const query = {
      cohort: shape.cohort.catch(undefined).parse(Number(cohort ?? Number.NaN)),
      school: shape.school.catch(undefined).parse(may(viewer, 'leads:read') || chosen.length === 1 ? chosen : []),
    }
    return <InterestScreen page={await getInterestPage(getServices(), viewer, query)} />
  },
})

export { generateMetadata, Page as default }
