// Generated from schemas/plan.v1.json by Ajv: `npx vitest run test/plan/plan-shape-validator.test.ts -u`. Do not edit.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
export const validatePlan = validate10;
const schema11 = {"$schema":"http://json-schema.org/draft-07/schema#","$id":"plan","title":"whatif saved plan, version 1","description":"An object: what `whatif plan --save` keeps of a plan, so that `whatif run --plan` can refuse when anything has moved. Fields may be added within version 1.","type":"object","required":["plan_version","study","study_digest","lock_digest","service","scope","state_serial","uploads","rows_bound","datasets","scenarios"],"properties":{"plan_version":{"description":"The number 1; a plan of another version is to be saved again.","const":1},"study":{"description":"The name of a study.","type":"string","pattern":"^[a-z0-9._-]{1,40}$"},"study_digest":{"description":"64 hexadecimal digits: a digest of everything that can change the outcome of a run.","type":"string","pattern":"^[0-9a-f]{64}$"},"lock_digest":{"description":"64 hexadecimal digits or null: a digest of the lock file; null when there was none.","type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"service":{"description":"\"embedded\" or 8 hexadecimal digits: a label of the service; never its address.","type":"string","pattern":"^(?:embedded|[0-9a-f]{8})$"},"scope":{"description":"A label or null: `--scope` of the plan.","type":["string","null"],"pattern":"^[A-Za-z0-9_-]{1,48}$"},"state_serial":{"description":"A whole number of at least 0: how far the journal of the study had come.","$ref":"#/definitions/count"},"uploads":{"description":"A whole number of at least 0: datasets that would be uploaded and trained.","$ref":"#/definitions/count"},"rows_bound":{"description":"A whole number of at least 0: the most rows that can be billed.","$ref":"#/definitions/count"},"datasets":{"description":"An object of actions by dataset.","$ref":"#/definitions/actions"},"scenarios":{"description":"An object of actions by scenario.","$ref":"#/definitions/actions"}},"definitions":{"count":{"description":"A whole number of at least 0.","type":"integer","minimum":0,"maximum":9007199254740991},"actions":{"description":"An object of actions by id.","type":"object","propertyNames":{"description":"Ids, which are lower-case words.","pattern":"^[a-z0-9._-]{1,120}$"},"additionalProperties":{"$ref":"#/definitions/action"}},"action":{"description":"An object with an action and its request key.","type":"object","required":["action","idempotency_key"],"properties":{"action":{"description":"A word, such as upload, generate, reuse or skip.","type":"string","pattern":"^[a-z]{1,20}$"},"idempotency_key":{"description":"A request key or null: null where there is none, or none yet.","type":["string","null"],"pattern":"^[A-Za-z0-9._-]{1,128}$"}}}}};
const schema12 = {"description":"A whole number of at least 0.","type":"integer","minimum":0,"maximum":9007199254740991};
const pattern0 = new RegExp("^[a-z0-9._-]{1,40}$", "u");
const pattern1 = new RegExp("^[0-9a-f]{64}$", "u");
const pattern3 = new RegExp("^(?:embedded|[0-9a-f]{8})$", "u");
const pattern4 = new RegExp("^[A-Za-z0-9_-]{1,48}$", "u");
const schema15 = {"description":"An object of actions by id.","type":"object","propertyNames":{"description":"Ids, which are lower-case words.","pattern":"^[a-z0-9._-]{1,120}$"},"additionalProperties":{"$ref":"#/definitions/action"}};
const schema16 = {"description":"An object with an action and its request key.","type":"object","required":["action","idempotency_key"],"properties":{"action":{"description":"A word, such as upload, generate, reuse or skip.","type":"string","pattern":"^[a-z]{1,20}$"},"idempotency_key":{"description":"A request key or null: null where there is none, or none yet.","type":["string","null"],"pattern":"^[A-Za-z0-9._-]{1,128}$"}}};
const pattern5 = new RegExp("^[a-z0-9._-]{1,120}$", "u");
const pattern6 = new RegExp("^[a-z]{1,20}$", "u");
const pattern7 = new RegExp("^[A-Za-z0-9._-]{1,128}$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern5.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9._-]{1,120}$"},message:"must match pattern \""+"^[a-z0-9._-]{1,120}$"+"\"",schema:"^[a-z0-9._-]{1,120}$",parentSchema:schema15.propertyNames,data:key0,propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},message:"property name must be valid",schema:schema15.propertyNames,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validate11.errors = vErrors;
return false;
break;
}
}
if(valid0){
for(const key1 in data){
let data0 = data[key1];
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing0;
if(((data0.action === undefined) && (missing0 = "action")) || ((data0.idempotency_key === undefined) && (missing0 = "idempotency_key"))){
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/action/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema16.required,parentSchema:schema16,data:data0}];
return false;
}
else {
if(data0.action !== undefined){
let data1 = data0.action;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data1 === "string"){
if(!pattern6.test(data1)){
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/action",schemaPath:"#/definitions/action/properties/action/pattern",keyword:"pattern",params:{pattern: "^[a-z]{1,20}$"},message:"must match pattern \""+"^[a-z]{1,20}$"+"\"",schema:"^[a-z]{1,20}$",parentSchema:schema16.properties.action,data:data1}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/action",schemaPath:"#/definitions/action/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.action.type,parentSchema:schema16.properties.action,data:data1}];
return false;
}
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data0.idempotency_key !== undefined){
let data2 = data0.idempotency_key;
const _errs8 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/action/properties/idempotency_key/type",keyword:"type",params:{type: schema16.properties.idempotency_key.type},message:"must be string,null",schema:schema16.properties.idempotency_key.type,parentSchema:schema16.properties.idempotency_key,data:data2}];
return false;
}
if(errors === _errs8){
if(typeof data2 === "string"){
if(!pattern7.test(data2)){
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/action/properties/idempotency_key/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._-]{1,128}$"+"\"",schema:"^[A-Za-z0-9._-]{1,128}$",parentSchema:schema16.properties.idempotency_key,data:data2}];
return false;
}
}
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/action/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema16.type,parentSchema:schema16,data:data0}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema15.type,parentSchema:schema15,data}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="plan" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.plan_version === undefined) && (missing0 = "plan_version")) || ((data.study === undefined) && (missing0 = "study"))) || ((data.study_digest === undefined) && (missing0 = "study_digest"))) || ((data.lock_digest === undefined) && (missing0 = "lock_digest"))) || ((data.service === undefined) && (missing0 = "service"))) || ((data.scope === undefined) && (missing0 = "scope"))) || ((data.state_serial === undefined) && (missing0 = "state_serial"))) || ((data.uploads === undefined) && (missing0 = "uploads"))) || ((data.rows_bound === undefined) && (missing0 = "rows_bound"))) || ((data.datasets === undefined) && (missing0 = "datasets"))) || ((data.scenarios === undefined) && (missing0 = "scenarios"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema11.required,parentSchema:schema11,data}];
return false;
}
else {
if(data.plan_version !== undefined){
let data0 = data.plan_version;
const _errs1 = errors;
if(1 !== data0){
validate10.errors = [{instancePath:instancePath+"/plan_version",schemaPath:"#/properties/plan_version/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant",schema:1,parentSchema:schema11.properties.plan_version,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.study !== undefined){
let data1 = data.study;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
validate10.errors = [{instancePath:instancePath+"/study",schemaPath:"#/properties/study/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9._-]{1,40}$"},message:"must match pattern \""+"^[a-z0-9._-]{1,40}$"+"\"",schema:"^[a-z0-9._-]{1,40}$",parentSchema:schema11.properties.study,data:data1}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/study",schemaPath:"#/properties/study/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.study.type,parentSchema:schema11.properties.study,data:data1}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.study_digest !== undefined){
let data2 = data.study_digest;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data2 === "string"){
if(!pattern1.test(data2)){
validate10.errors = [{instancePath:instancePath+"/study_digest",schemaPath:"#/properties/study_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\"",schema:"^[0-9a-f]{64}$",parentSchema:schema11.properties.study_digest,data:data2}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/study_digest",schemaPath:"#/properties/study_digest/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.study_digest.type,parentSchema:schema11.properties.study_digest,data:data2}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lock_digest !== undefined){
let data3 = data.lock_digest;
const _errs6 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate10.errors = [{instancePath:instancePath+"/lock_digest",schemaPath:"#/properties/lock_digest/type",keyword:"type",params:{type: schema11.properties.lock_digest.type},message:"must be string,null",schema:schema11.properties.lock_digest.type,parentSchema:schema11.properties.lock_digest,data:data3}];
return false;
}
if(errors === _errs6){
if(typeof data3 === "string"){
if(!pattern1.test(data3)){
validate10.errors = [{instancePath:instancePath+"/lock_digest",schemaPath:"#/properties/lock_digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\"",schema:"^[0-9a-f]{64}$",parentSchema:schema11.properties.lock_digest,data:data3}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.service !== undefined){
let data4 = data.service;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data4 === "string"){
if(!pattern3.test(data4)){
validate10.errors = [{instancePath:instancePath+"/service",schemaPath:"#/properties/service/pattern",keyword:"pattern",params:{pattern: "^(?:embedded|[0-9a-f]{8})$"},message:"must match pattern \""+"^(?:embedded|[0-9a-f]{8})$"+"\"",schema:"^(?:embedded|[0-9a-f]{8})$",parentSchema:schema11.properties.service,data:data4}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/service",schemaPath:"#/properties/service/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.properties.service.type,parentSchema:schema11.properties.service,data:data4}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scope !== undefined){
let data5 = data.scope;
const _errs10 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate10.errors = [{instancePath:instancePath+"/scope",schemaPath:"#/properties/scope/type",keyword:"type",params:{type: schema11.properties.scope.type},message:"must be string,null",schema:schema11.properties.scope.type,parentSchema:schema11.properties.scope,data:data5}];
return false;
}
if(errors === _errs10){
if(typeof data5 === "string"){
if(!pattern4.test(data5)){
validate10.errors = [{instancePath:instancePath+"/scope",schemaPath:"#/properties/scope/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema11.properties.scope,data:data5}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.state_serial !== undefined){
let data6 = data.state_serial;
const _errs12 = errors;
const _errs13 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate10.errors = [{instancePath:instancePath+"/state_serial",schemaPath:"#/definitions/count/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.type,parentSchema:schema12,data:data6}];
return false;
}
if(errors === _errs13){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
validate10.errors = [{instancePath:instancePath+"/state_serial",schemaPath:"#/definitions/count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schema12,data:data6}];
return false;
}
else {
if(data6 < 0 || isNaN(data6)){
validate10.errors = [{instancePath:instancePath+"/state_serial",schemaPath:"#/definitions/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema12,data:data6}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.uploads !== undefined){
let data7 = data.uploads;
const _errs15 = errors;
const _errs16 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate10.errors = [{instancePath:instancePath+"/uploads",schemaPath:"#/definitions/count/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.type,parentSchema:schema12,data:data7}];
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 9007199254740991 || isNaN(data7)){
validate10.errors = [{instancePath:instancePath+"/uploads",schemaPath:"#/definitions/count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schema12,data:data7}];
return false;
}
else {
if(data7 < 0 || isNaN(data7)){
validate10.errors = [{instancePath:instancePath+"/uploads",schemaPath:"#/definitions/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema12,data:data7}];
return false;
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rows_bound !== undefined){
let data8 = data.rows_bound;
const _errs18 = errors;
const _errs19 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
validate10.errors = [{instancePath:instancePath+"/rows_bound",schemaPath:"#/definitions/count/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema12.type,parentSchema:schema12,data:data8}];
return false;
}
if(errors === _errs19){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 9007199254740991 || isNaN(data8)){
validate10.errors = [{instancePath:instancePath+"/rows_bound",schemaPath:"#/definitions/count/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schema12,data:data8}];
return false;
}
else {
if(data8 < 0 || isNaN(data8)){
validate10.errors = [{instancePath:instancePath+"/rows_bound",schemaPath:"#/definitions/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema12,data:data8}];
return false;
}
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.datasets !== undefined){
const _errs21 = errors;
if(!(validate11(data.datasets, {instancePath:instancePath+"/datasets",parentData:data,parentDataProperty:"datasets",rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scenarios !== undefined){
const _errs22 = errors;
if(!(validate11(data.scenarios, {instancePath:instancePath+"/scenarios",parentData:data,parentDataProperty:"scenarios",rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.type,parentSchema:schema11,data}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
