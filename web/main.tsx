// Shows runs: the one in this file, or those of the server it came from.

import './language.ts';
// Before anything reads the address.
import './viewer/token.ts';
import './style.css';
import { render } from 'preact';
import { ReportApp } from './report-app.tsx';
import { applyTheme } from './ui/frame.tsx';
import { ViewerApp } from './viewer/viewer-app.tsx';

applyTheme();
const root = document.getElementById('app');
const isViewer = document.documentElement.dataset['mode'] === 'viewer';
if (root !== null) render(isViewer ? <ViewerApp /> : <ReportApp />, root);
