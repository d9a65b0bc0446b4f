import { listPage } from '@/app/(desk)/list-page'

const page = listPage('asked-questions')

export const generateMetadata = page.metadata
export default page.Page
