import { listPage } from '@/app/(desk)/list-page'

const page = listPage('declarations-of-interest')

export const generateMetadata = page.metadata
export default page.Page
