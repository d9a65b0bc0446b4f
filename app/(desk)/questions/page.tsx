import { listPage } from '@/app/(desk)/list-page'

const { generateMetadata, Page } = listPage('asked-questions')

export { generateMetadata, Page as default }
