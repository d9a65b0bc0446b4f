import { createDeskPage } from '@/app/(desk)/desk-page'
import { NoDataYet } from '@/components/app/no-data-yet'
import { InterestScreen } from '@/components/interest/interest-screen'
import { interestQuerySchema } from '@/lib/contract/interest'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { may } from '@/server/access/viewer'
import { getServices } from '@/server/base/services'
import { getInterestPage } from '@/server/interest/interest'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('interest.title'),
  permission: 'interest:read',
  path: '/interest',
  messageAreas: ['interest'],
  notReady: <NoDataYet lists={LEAD_LISTS} isWholeScreen />,
  screen: async ({ viewer, searchParams }) => {
    // Values that cannot be read are ignored, so that an old or mistyped link still opens the page. So are several
    // schools of a manager, who may choose only one.
    const { cohort, school } = await searchParams
    const { shape } = interestQuerySchema
    const schools = [school ?? []].flat().filter((id) => id !== '')
    const query = {
      cohort: shape.cohort.catch(undefined).parse(Number(cohort)),
      school: shape.school.catch(undefined).parse(may(viewer, 'leads:read') || schools.length === 1 ? schools : []),
    }
    return <InterestScreen page={await getInterestPage(getServices(), viewer, query)} />
  },
})

export { generateMetadata, Page as default }
